/** Server processes, ours and others, under the same load one after the other. */
@NullMarked
package dev.isogrid.bench.server;

import org.jspecify.annotations.NullMarked;
