/** Calls of embedded caches, round by round beside the maps that they are compared with. */
@NullMarked
package dev.isogrid.bench.embedded;

import org.jspecify.annotations.NullMarked;
