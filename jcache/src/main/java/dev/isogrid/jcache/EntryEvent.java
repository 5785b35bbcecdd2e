package dev.isogrid.jcache;

import javax.cache.Cache;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/** A change of an entry. */
final class EntryEvent<K, V> extends CacheEntryEvent<K, V> {
  private static final long serialVersionUID = 1;

  private final transient WrittenEntry<K, V> entry;
  private final transient @Nullable V oldValue;

  EntryEvent(Cache<K, V> source, EventType type, WrittenEntry<K, V> entry, @Nullable V oldValue) {
    super(source, type);
    this.entry = entry;
    this.oldValue = oldValue;
  }

  @Override
  public K getKey() {
    return entry.key();
  }

  @Override
  public V getValue() {
    return entry.value();
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
    return getEventType() + " " + entry.key();
  }
}
