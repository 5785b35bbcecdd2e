package dev.isogrid.api;

import java.io.Serializable;

/**
 * Says which entries a map/reduce, or {@link Cache#invokeAll(EntryFilter, EntryProcessor)}, takes.
 * Runs where the entries are; keeps no state.
 *
 * @param <K> the keys
 * @param <V> the values
 */
@FunctionalInterface
public interface EntryFilter<K, V> extends Serializable {
  /** Whether to take it. */
  boolean test(K key, V value);
}
