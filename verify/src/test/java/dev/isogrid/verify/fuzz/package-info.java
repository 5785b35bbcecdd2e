/** Coverage-guided fuzzing of what reads bytes from the network. */
@NullMarked
package dev.isogrid.verify.fuzz;

import org.jspecify.annotations.NullMarked;
