package dev.isogrid.api;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A change of a cache; see {@link Cache#changes}. An immutable value.
 *
 * @param <K> the type of the key
 * @param <V> the type of the value
 * @param kind the kind of change
 * @param segment the entry's segment; changes of one segment are in the order in which they
 *     happened
 * @param key of the entry; null if all entries of the segment were removed
 * @param value the new value; null unless the entry was written
 * @param version of the write or removal; 0 if the entry expired or was removed with others
 * @param createdMillis when the entry was written, milliseconds since 1970; -1 if it has no times
 * @param lifespanMillis the lifespan in milliseconds, or -1 if unlimited
 * @param maxIdleMillis the max idle in milliseconds, or -1 if unlimited
 * @param token continues after this change
 */
public record CacheChange<K, V>(
    Kind kind,
    int segment,
    @Nullable K key,
    @Nullable V value,
    long version,
    long createdMillis,
    long lifespanMillis,
    long maxIdleMillis,
    ChangeToken token) {
  /** The kind of the change. */
  public enum Kind {
    /** An entry was written, be it new or not. */
    WRITTEN,
    /** An entry was removed. */
    REMOVED,
    /** An entry was removed since its time was over. */
    EXPIRED,
    /** All entries of the segment were removed. */
    CLEARED
  }

  /** Checks that what is needed is there. */
  public CacheChange {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(token, "token");
  }
}
