/** All benchmarks of the page on performance, one after the other in own processes. */
@NullMarked
package dev.isogrid.bench.all;

import org.jspecify.annotations.NullMarked;
