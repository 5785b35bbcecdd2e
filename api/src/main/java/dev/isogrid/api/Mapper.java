package dev.isogrid.api;

import java.io.Serializable;

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
   * Maps one entry.
   *
   * @param value not to be changed
   * @throws Exception which fails the task
   */
  void map(K key, V value, Collector<A, B> out) throws Exception;
}
