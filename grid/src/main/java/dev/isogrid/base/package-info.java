/**
 * What the rest is given instead of taking it: time, randomness and scheduling, so that a node can
 * run in a test's own time.
 */
@NullMarked
package dev.isogrid.base;

import org.jspecify.annotations.NullMarked;
