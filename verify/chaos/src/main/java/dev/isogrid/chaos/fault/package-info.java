/** The faults of a run, with their times and durations. */
@NullMarked
package dev.isogrid.chaos.fault;

import org.jspecify.annotations.NullMarked;
