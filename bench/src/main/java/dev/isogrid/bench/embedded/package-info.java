/** Calls of embedded caches, round by round beside the maps of the comparison. */
@NullMarked
package dev.isogrid.bench.embedded;

import org.jspecify.annotations.NullMarked;
