package dev.isogrid.stream;

/**
 * Converts a user's keys and values to and from the stored form. Thread-safe.
 *
 * @param <K> the user's keys
 * @param <V> the user's values
 * @param <S> the stored form of keys
 * @param <T> the stored form of values
 */
public interface EntryForm<K, V, S, T> {
  /** The stored form of a key. */
  S storedKey(K key);

  /** The hash of a stored key. */
  int hash(S key);

  /** The stored form of a value; valid at least until the end of the write. */
  T storedValue(V value);

  /** The user's form of a key. */
  K key(S stored);

  /** The user's form of a value. */
  V value(T stored);
}
