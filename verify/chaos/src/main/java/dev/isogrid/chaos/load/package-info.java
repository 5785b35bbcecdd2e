/** Clients: their operations and the answers. */
@NullMarked
package dev.isogrid.chaos.load;

import org.jspecify.annotations.NullMarked;
