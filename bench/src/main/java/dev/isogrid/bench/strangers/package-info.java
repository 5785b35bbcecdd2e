/** What clients notice while strangers take what they can get of a server. */
@NullMarked
package dev.isogrid.bench.strangers;

import org.jspecify.annotations.NullMarked;
