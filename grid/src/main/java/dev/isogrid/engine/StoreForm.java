package dev.isogrid.engine;

/**
 * How the keys and values of a container become those of a {@link dev.isogrid.api.CacheStore}, and
 * back. Thread-safe.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
public interface StoreForm<K, V> {
  /** The store's form of a key. */
  Object outerKey(K key);

  /** The store's form of a value; of its own, so that it stays when the value is used again. */
  Object outerValue(V value);

  /** The container's form of a key. */
  K key(Object outer);

  /** The container's form of a value. */
  V value(Object outer);

  /** The hash of a key in the container's form. */
  int hash(K key);
}
