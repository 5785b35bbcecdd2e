/** Server processes, ours and others, under the same load in turns. */
@NullMarked
package dev.isogrid.bench.server;

import org.jspecify.annotations.NullMarked;
