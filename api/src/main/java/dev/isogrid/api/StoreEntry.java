package dev.isogrid.api;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An entry as a {@link CacheStore} has it. Immutable, but for keys and values that can change.
 *
 * @param key the key
 * @param value the value
 * @param segment the segment of the key, 0 or more; of no meaning in what a store loads
 * @param expiryMillis when its lifespan ends, milliseconds since 1970, or -1 if it is unlimited
 * @param maxIdleMillis how long it stays in memory unused, in milliseconds, or -1 if unlimited
 * @param clientFlags the 32 bits that memcached clients keep with an entry; 0 for none
 * @param mediaType the media type that the value was written with; null if none was given
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public record StoreEntry<K, V>(
    K key,
    V value,
    int segment,
    long expiryMillis,
    long maxIdleMillis,
    int clientFlags,
    @Nullable String mediaType) {
  /** Checks that there is a key and a value. */
  public StoreEntry {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
  }

  /** An entry that a store loads and that never expires. */
  public static <K, V> StoreEntry<K, V> of(K key, V value) {
    return new StoreEntry<>(key, value, 0, Expiry.UNLIMITED, Expiry.UNLIMITED, 0, null);
  }

  /**
   * An entry that a store loads.
   *
   * @param expiryMillis when its lifespan ends, milliseconds since 1970
   */
  public static <K, V> StoreEntry<K, V> until(K key, V value, long expiryMillis) {
    return new StoreEntry<>(key, value, 0, expiryMillis, Expiry.UNLIMITED, 0, null);
  }

  /** Returns whether its lifespan is over. */
  public boolean isExpired(long nowMillis) {
    return expiryMillis >= 0 && expiryMillis <= nowMillis;
  }
}
