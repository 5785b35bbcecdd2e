package dev.isogrid.node;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheCollection;
import dev.isogrid.api.CacheStream;
import dev.isogrid.api.function.SerializablePredicate;
import java.io.Serializable;
import java.util.AbstractCollection;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The live collection of a cache's values. */
final class ValuesView<V> extends AbstractCollection<V> implements CacheCollection<V> {
  private final Cache<?, V> cache;
  private final Supplier<Iterator<V>> iterators;
  private final Function<Boolean, CacheStream<V>> streams;

  ValuesView(
      Cache<?, V> cache,
      Supplier<Iterator<V>> iterators,
      Function<Boolean, CacheStream<V>> streams) {
    this.cache = cache;
    this.iterators = iterators;
    this.streams = streams;
  }

  @Override
  public Iterator<V> iterator() {
    return iterators.get();
  }

  /** Knows no size: entries come and go while it runs. */
  @Override
  public Spliterator<V> spliterator() {
    return Spliterators.spliteratorUnknownSize(
        iterator(), Spliterator.CONCURRENT | Spliterator.NONNULL);
  }

  @Override
  public CacheStream<V> stream() {
    return streams.apply(false);
  }

  @Override
  public CacheStream<V> parallelStream() {
    return streams.apply(true);
  }

  @Override
  public int size() {
    return cache.size();
  }

  @Override
  public boolean add(V value) {
    throw new UnsupportedOperationException(
        "a value alone can't be added: put an entry into the cache");
  }

  /** Whether a value equals another, as users expect it. */
  private record Equal(Object value) implements SerializablePredicate<Object> {
    private static final long serialVersionUID = 1;

    @Override
    public boolean test(Object other) {
      return EmbeddedCache.isEqual(value, other);
    }
  }

  @Override
  public boolean contains(Object value) {
    Objects.requireNonNull(value, "value");
    if (value instanceof Serializable) {
      return parallelStream().anyMatch(new Equal(value));
    }
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

  /** Removes the entries whose values a filter takes, unless they got another one meanwhile. */
  @Override
  public boolean removeIf(Predicate<? super V> filter) {
    Objects.requireNonNull(filter, "filter");
    return cache.entrySet().removeIf(entry -> filter.test(entry.getValue()));
  }

  @Override
  public void clear() {
    cache.clear();
  }
}
