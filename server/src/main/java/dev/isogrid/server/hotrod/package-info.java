/** The Hot Rod endpoint: requests of Hot Rod 2.0 to 4.1 against the caches of the node. */
@NullMarked
package dev.isogrid.server.hotrod;

import org.jspecify.annotations.NullMarked;
