package dev.isogrid.api;

import java.util.Map;

/**
 * An entry of a cache as it was at one moment, with its metadata. Immutable; later changes of the
 * cache don't show. {@link #setValue} is refused: write through the cache.
 *
 * @param <K> the type of the key
 * @param <V> the type of the value
 * @param key the key
 * @param value the value
 * @param version the version that the write got from the segment's primary: greater than 0, greater
 *     than that of every earlier write in the same segment, and never used twice for a key
 * @param createdMillis when the entry was created or last updated, milliseconds since 1970, or -1
 *     if the entry has neither lifespan nor max idle (it is not kept then)
 * @param lifespanMillis the lifespan in milliseconds, or -1 if unlimited
 * @param lastUsedMillis when the entry was last read or updated, milliseconds since 1970, or -1 if
 *     it has no max idle
 * @param maxIdleMillis the max idle in milliseconds, or -1 if unlimited
 */
public record CacheEntry<K, V>(
    K key,
    V value,
    long version,
    long createdMillis,
    long lifespanMillis,
    long lastUsedMillis,
    long maxIdleMillis)
    implements Map.Entry<K, V> {

  @Override
  public K getKey() {
    return key;
  }

  @Override
  public V getValue() {
    return value;
  }

  /**
   * Refused: an entry is a value.
   *
   * @throws UnsupportedOperationException always
   */
  @Override
  public V setValue(V value) {
    throw new UnsupportedOperationException("an entry is immutable; write through the cache");
  }
}
