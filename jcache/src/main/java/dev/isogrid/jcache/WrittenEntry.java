package dev.isogrid.jcache;

import javax.cache.Cache;

/** Key and value, for iterators and writers. */
record WrittenEntry<K, V>(K key, V value) implements Cache.Entry<K, V> {
  @Override
  public K getKey() {
    return key;
  }

  @Override
  public V getValue() {
    return value;
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    return Unwrapping.cast(this, type);
  }
}
