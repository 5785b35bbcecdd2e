/** Benchmarks and their inputs: options, checkout, machine, time. */
@NullMarked
package dev.isogrid.bench.run;

import org.jspecify.annotations.NullMarked;
