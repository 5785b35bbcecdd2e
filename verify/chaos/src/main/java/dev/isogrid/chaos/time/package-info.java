/** Real time, for faults and histories. */
@NullMarked
package dev.isogrid.chaos.time;

import org.jspecify.annotations.NullMarked;
