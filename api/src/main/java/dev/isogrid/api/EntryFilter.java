package dev.isogrid.api;

import java.io.Serializable;

/**
 * Selects the entries for a map/reduce, or for {@link Cache#invokeAll(EntryFilter,
 * EntryProcessor)}. Runs where the entries are; keeps no state.
 *
 * @param <K> the keys
 * @param <V> the values
 */
@FunctionalInterface
public interface EntryFilter<K, V> extends Serializable {
  /** Whether to take it. */
  boolean test(K key, V value);
}
