package dev.isogrid.node;

import dev.isogrid.api.Cache;
import java.util.AbstractMap;

/** An entry of an entry set, which writes through to the cache. */
final class LiveEntry<K, V> extends AbstractMap.SimpleEntry<K, V> {
  private static final long serialVersionUID = 1L;

  private final transient Cache<K, V> cache;

  LiveEntry(Cache<K, V> cache, K key, V value) {
    super(key, value);
    this.cache = cache;
  }

  @Override
  public V setValue(V value) {
    cache.put(getKey(), value);
    return super.setValue(value);
  }
}
