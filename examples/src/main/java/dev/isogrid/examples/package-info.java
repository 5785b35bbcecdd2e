/** Small whole programs, each for one thing that users of a grid do first. */
@NullMarked
package dev.isogrid.examples;

import org.jspecify.annotations.NullMarked;
