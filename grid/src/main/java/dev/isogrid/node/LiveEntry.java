package dev.isogrid.node;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheEntry;
import java.util.AbstractMap;

/** An entry of an entry set, which writes through to the cache. */
final class LiveEntry<K, V> extends AbstractMap.SimpleEntry<K, V> {
  private static final long serialVersionUID = 1L;

  private final transient Cache<K, V> cache;

  LiveEntry(Cache<K, V> cache, CacheEntry<K, V> entry) {
    super(entry.key(), entry.value());
    this.cache = cache;
  }

  @Override
  public V setValue(V value) {
    cache.put(getKey(), value);
    return super.setValue(value);
  }
}
