/** Real time: what faults and histories are made of. */
@NullMarked
package dev.isogrid.chaos.time;

import org.jspecify.annotations.NullMarked;
