package dev.isogrid.api;

import org.jspecify.annotations.Nullable;

/**
 * An entry, or its absence, while an {@link EntryProcessor} looks at it. The last set or removal
 * takes effect. Not thread-safe.
 *
 * @param <K> the type of the key
 * @param <V> the type of the value
 */
public interface ProcessedEntry<K, V> {
  /** The key. */
  K key();

  /** Whether there is an entry, as changed by this processor. */
  default boolean isPresent() {
    return value() != null;
  }

  /** The value as changed by this processor, or null if there is no entry. Don't change it. */
  @Nullable V value();

  /** The version before the processor, or 0 if there was no entry. */
  long version();

  /** Stores a value with the cache's default expiry. */
  default void set(V value) {
    set(value, Expiry.DEFAULT);
  }

  /** Stores a value. */
  void set(V value, Expiry expiry);

  /** Removes the entry. */
  void remove();
}
