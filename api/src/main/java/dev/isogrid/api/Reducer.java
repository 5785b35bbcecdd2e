package dev.isogrid.api;

import java.io.Serializable;
import java.util.Iterator;

/**
 * The second half of a map/reduce: makes one value of all values of a key. Runs on several threads
 * at a time, so it must keep no state.
 *
 * @param <A> the keys
 * @param <B> the values
 */
@FunctionalInterface
public interface Reducer<A, B> extends Serializable {
  /**
   * Reduces one key.
   *
   * @param values at least one, in no order; combined ones where there is a combiner; may be far
   *     more than memory holds; valid during the call
   * @return not null
   * @throws Exception which fails the task
   */
  B reduce(A key, Iterator<B> values) throws Exception;
}
