/** What a benchmark is and what it is told: its options, the checkout, the machine, the time. */
@NullMarked
package dev.isogrid.bench.run;

import org.jspecify.annotations.NullMarked;
