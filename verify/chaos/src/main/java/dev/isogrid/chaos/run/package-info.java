/** A run: its options, its course, its summary. */
@NullMarked
package dev.isogrid.chaos.run;

import org.jspecify.annotations.NullMarked;
