/** Allocation by the threads of a server per request. */
@NullMarked
package dev.isogrid.bench.path;

import org.jspecify.annotations.NullMarked;
