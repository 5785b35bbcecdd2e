/** Child processes: their lives, their use of processor and memory. */
@NullMarked
package dev.isogrid.bench.process;

import org.jspecify.annotations.NullMarked;
