/**
 * The environment that the other packages receive instead of creating it: time, randomness and
 * scheduling. So a node can run in a test's own time.
 */
@NullMarked
package dev.isogrid.base;

import org.jspecify.annotations.NullMarked;
