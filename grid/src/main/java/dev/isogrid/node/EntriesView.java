package dev.isogrid.node;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheSet;
import dev.isogrid.api.CacheStream;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The live set of a cache's entries. */
final class EntriesView<K, V> extends AbstractSet<Map.Entry<K, V>>
    implements CacheSet<Map.Entry<K, V>> {
  private final Cache<K, V> cache;
  private final Supplier<Iterator<Map.Entry<K, V>>> iterators;
  private final Function<Boolean, CacheStream<Map.Entry<K, V>>> streams;

  EntriesView(
      Cache<K, V> cache,
      Supplier<Iterator<Map.Entry<K, V>>> iterators,
      Function<Boolean, CacheStream<Map.Entry<K, V>>> streams) {
    this.cache = cache;
    this.iterators = iterators;
    this.streams = streams;
  }

  @Override
  public Iterator<Map.Entry<K, V>> iterator() {
    return iterators.get();
  }

  /** Knows no size: entries come and go while it runs. */
  @Override
  public Spliterator<Map.Entry<K, V>> spliterator() {
    return Spliterators.spliteratorUnknownSize(
        iterator(), Spliterator.DISTINCT | Spliterator.CONCURRENT | Spliterator.NONNULL);
  }

  @Override
  public CacheStream<Map.Entry<K, V>> stream() {
    return streams.apply(false);
  }

  @Override
  public CacheStream<Map.Entry<K, V>> parallelStream() {
    return streams.apply(true);
  }

  @Override
  public int size() {
    return cache.size();
  }

  @Override
  public boolean add(Map.Entry<K, V> entry) {
    Objects.requireNonNull(entry, "entry");
    V before = cache.put(entry.getKey(), entry.getValue());
    return before == null || !EmbeddedCache.isEqual(before, entry.getValue());
  }

  @Override
  public boolean contains(Object object) {
    if (!(object instanceof Map.Entry<?, ?> entry) || entry.getKey() == null) {
      return false;
    }
    V value = cache.get(entry.getKey());
    return value != null
        && entry.getValue() != null
        && EmbeddedCache.isEqual(entry.getValue(), value);
  }

  @Override
  public boolean remove(Object object) {
    return object instanceof Map.Entry<?, ?> entry
        && entry.getKey() != null
        && cache.remove(entry.getKey(), entry.getValue());
  }

  /** Removes the entries that a filter takes, unless they got another value meanwhile. */
  @Override
  public boolean removeIf(Predicate<? super Map.Entry<K, V>> filter) {
    Objects.requireNonNull(filter, "filter");
    boolean isAnyRemoved = false;
    for (Map.Entry<K, V> entry : this) {
      V value = entry.getValue();
      if (filter.test(entry)) {
        isAnyRemoved |= cache.remove(entry.getKey(), value);
      }
    }
    return isAnyRemoved;
  }

  @Override
  public void clear() {
    cache.clear();
  }
}
