/** Coverage-guided fuzzing of the readers of bytes from the network. */
@NullMarked
package dev.isogrid.verify.fuzz;

import org.jspecify.annotations.NullMarked;
