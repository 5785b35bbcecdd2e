package dev.isogrid.api;

import java.io.Serializable;
import java.util.List;

/**
 * The first half of a map/reduce: makes pairs of an entry. Runs on the nodes that have the entries,
 * on several threads at a time, so it must keep no state; an entry may be mapped again if its
 * segment moves, and the pairs of one of these times count.
 *
 * @param <K> the cache's keys
 * @param <V> the cache's values
 * @param <A> the keys that it emits
 * @param <B> the values that it emits
 */
@FunctionalInterface
public interface Mapper<K, V, A, B> extends Serializable {
  /**
   * Maps one entry, or a part of a large one that {@link #split} cut.
   *
   * @param value not to be changed
   * @throws Exception which fails the task
   */
  void map(K key, V value, Collector<A, B> out) throws Exception;

  /**
   * Cuts a large value, so that several threads share it: each part is handed to one call of {@link
   * #map} with the same key, in any order and by several threads at a time, each of which has a
   * collector of its own. Combiner and reducer see no difference. By default a mapper gets all
   * values whole.
   *
   * <p>Called for values of a mebibyte or more, on nodes with several processors. In caches that
   * keep bytes the size is known; in those that keep objects it is estimated: one byte per
   * character of a text, the elements of an array, and 16 bytes per element that a collection, a
   * map or an array refers to. Other values are not cut.
   *
   * @param value not to be changed; only values that the filter accepts
   * @param partsMax 2 or more: some for each thread, and not so many that they are small
   * @return 1 to {@code partsMax} parts, none of them null, not changed from then on; by default
   *     the value alone
   */
  default List<V> split(V value, int partsMax) {
    return List.of(value);
  }

  /** A mapper that cuts large values: for mappers that are lambdas. */
  static <K, V, A, B> Mapper<K, V, A, B> splitting(
      Mapper<K, V, A, B> mapper, Splitter<V> splitter) {
    return new SplittingMapper<>(mapper, splitter);
  }
}
