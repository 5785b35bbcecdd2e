/** The command that runs benchmarks. */
@NullMarked
package dev.isogrid.bench;

import org.jspecify.annotations.NullMarked;
