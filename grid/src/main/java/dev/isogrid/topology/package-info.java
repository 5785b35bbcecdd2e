/** Owners of segments: immutable values, and pure functions from one to the next. */
@NullMarked
package dev.isogrid.topology;

import org.jspecify.annotations.NullMarked;
