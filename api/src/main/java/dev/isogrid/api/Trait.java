package dev.isogrid.api;

import java.io.Serializable;

/**
 * Something that an entry has. Computed where the entry is; keeps no state.
 *
 * @param <K> the keys
 * @param <V> the values
 * @param <R> the kind of thing
 */
@FunctionalInterface
public interface Trait<K, V, R> extends Serializable {
  /** What this entry has. */
  R of(K key, V value);
}
