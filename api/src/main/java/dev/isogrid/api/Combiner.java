package dev.isogrid.api;

import java.io.Serializable;

/**
 * Combines two values of the same key into one, wherever two meet: while mapping, on the way, and
 * before reducing. Must be associative and commutative, and keep no state: the order of the two
 * values, and the grouping of more than two, are not promised and differ from run to run. Neither
 * the order in which a mapper emits values nor the order of nodes decides them.
 *
 * @param <B> the values
 */
@FunctionalInterface
public interface Combiner<B> extends Serializable {
  /** The value that stands for both; may be one of them, changed. */
  B combine(B left, B right);
}
