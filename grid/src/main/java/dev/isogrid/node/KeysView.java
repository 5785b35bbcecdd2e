package dev.isogrid.node;

import dev.isogrid.api.Cache;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.function.Supplier;

/** The live set of a cache's keys. */
final class KeysView<K> extends AbstractSet<K> {
  private final Cache<K, ?> cache;
  private final Supplier<Iterator<K>> iterators;

  KeysView(Cache<K, ?> cache, Supplier<Iterator<K>> iterators) {
    this.cache = cache;
    this.iterators = iterators;
  }

  @Override
  public Iterator<K> iterator() {
    return iterators.get();
  }

  @Override
  public int size() {
    return cache.size();
  }

  @Override
  public boolean contains(Object key) {
    return cache.containsKey(key);
  }

  @Override
  public boolean remove(Object key) {
    return cache.remove(key) != null;
  }

  @Override
  public void clear() {
    cache.clear();
  }
}
