package dev.isogrid.node;

import dev.isogrid.api.Cache;
import java.util.AbstractCollection;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
    Objects.requireNonNull(value);
    for (V each : this) {
      if (EmbeddedCache.isEqual(value, each)) {
        return true;
      }
    }
    return false;
  }

  /** Removes one entry of this value, unless it gets another one at this moment. */
  @Override
  public boolean remove(@Nullable Object value) {
    if (value == null) {
      return false;
    }
    for (Map.Entry<?, V> entry : cache.entrySet()) {
      if (EmbeddedCache.isEqual(value, entry.getValue())
          && cache.remove(entry.getKey(), entry.getValue())) {
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
