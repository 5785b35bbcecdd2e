package dev.isogrid.api;

import java.io.Serializable;

/**
 * A property that is computed from an entry, on the node that has it; must keep no state.
 *
 * @param <K> the keys
 * @param <V> the values
 * @param <R> the type of the property
 */
@FunctionalInterface
public interface Trait<K, V, R> extends Serializable {
  /** The trait of this entry. */
  R of(K key, V value);
}
