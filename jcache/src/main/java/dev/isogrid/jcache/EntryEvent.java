package dev.isogrid.jcache;

import javax.cache.Cache;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/** A change of an entry. */
final class EntryEvent<K, V> extends CacheEntryEvent<K, V> {
  private static final long serialVersionUID = 1;

  private final transient K key;
  private final transient @Nullable V value;
  private final transient @Nullable V oldValue;

  /**
   * Describes a change.
   *
   * @param value the new value, or the last one of an entry that is gone; null if it is not known
   */
  EntryEvent(Cache<K, V> source, EventType type, K key, @Nullable V value, @Nullable V oldValue) {
    super(source, type);
    this.key = key;
    this.value = value;
    this.oldValue = oldValue;
  }

  @Override
  public K getKey() {
    return key;
  }

  @Override
  public @Nullable V getValue() {
    return value;
  }

  @Override
  public @Nullable V getOldValue() {
    return oldValue;
  }

  @Override
  public boolean isOldValueAvailable() {
    return oldValue != null;
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    return Unwrapping.cast(this, type);
  }

  @Override
  public String toString() {
    return getEventType() + " " + key;
  }
}
