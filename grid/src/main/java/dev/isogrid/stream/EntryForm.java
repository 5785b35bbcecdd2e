package dev.isogrid.stream;

/**
 * How a user's keys and values become what a container keeps, and back. Thread-safe.
 *
 * @param <K> the user's keys
 * @param <V> the user's values
 * @param <S> the container's kind of key
 * @param <T> the container's kind of value
 */
public interface EntryForm<K, V, S, T> {
  /** The container's form of a key. */
  S storedKey(K key);

  /** The hash of a key in the container's form. */
  int hash(S key);

  /** The container's form of a value; valid until the write is done at least. */
  T storedValue(V value);

  /** The user's form of a key. */
  K key(S stored);

  /** The user's form of a value. */
  V value(T stored);
}
