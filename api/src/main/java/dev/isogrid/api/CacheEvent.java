package dev.isogrid.api;

import org.jspecify.annotations.Nullable;

/**
 * A change of one entry. The objects are the stored ones where the cache keeps references: treat
 * them as read-only.
 *
 * @param <K> the type of the key
 * @param <V> the type of the value
 * @param kind what happened
 * @param key the key
 * @param value the new value; null if the entry is gone
 * @param oldValue the value before; null if there was none
 * @param version the version of this change: greater than that of every earlier change in the
 *     segment
 */
public record CacheEvent<K, V>(
    Kind kind, K key, @Nullable V value, @Nullable V oldValue, long version) {

  /** The kinds of changes of an entry. */
  public enum Kind {
    /** An entry came to be where there was none. */
    CREATED,
    /** An entry got a new value or new metadata. */
    MODIFIED,
    /** An entry was removed by a user. */
    REMOVED,
    /**
     * An entry's time was over. Raised when that is noticed: at the next access, or by the reaper
     * at most {@link CacheConfig.Builder#reaperInterval} later, which is a minute by default.
     */
    EXPIRED,
    /** An entry was removed to make room in a bounded cache. */
    EVICTED
  }
}
