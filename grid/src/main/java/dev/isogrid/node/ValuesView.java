package dev.isogrid.node;

import dev.isogrid.api.Cache;
import java.util.AbstractCollection;
import java.util.Iterator;
import java.util.function.Supplier;

/** The live collection of a cache's values. */
final class ValuesView<V> extends AbstractCollection<V> {
  private final Cache<?, V> cache;
  private final Supplier<Iterator<V>> iterators;

  ValuesView(Cache<?, V> cache, Supplier<Iterator<V>> iterators) {
    this.cache = cache;
    this.iterators = iterators;
  }

  @Override
  public Iterator<V> iterator() {
    return iterators.get();
  }

  @Override
  public int size() {
    return cache.size();
  }

  @Override
  public boolean contains(Object value) {
    for (V each : this) {
      if (EmbeddedCache.isEqual(value, each)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void clear() {
    cache.clear();
  }
}
