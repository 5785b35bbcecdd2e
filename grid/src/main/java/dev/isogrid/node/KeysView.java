package dev.isogrid.node;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheSet;
import dev.isogrid.api.CacheStream;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.function.Supplier;

/** The live set of a cache's keys. */
final class KeysView<K> extends AbstractSet<K> implements CacheSet<K> {
  private final Cache<K, ?> cache;
  private final Supplier<Iterator<K>> iterators;
  private final Function<Boolean, CacheStream<K>> streams;

  KeysView(
      Cache<K, ?> cache,
      Supplier<Iterator<K>> iterators,
      Function<Boolean, CacheStream<K>> streams) {
    this.cache = cache;
    this.iterators = iterators;
    this.streams = streams;
  }

  @Override
  public Iterator<K> iterator() {
    return iterators.get();
  }

  /** Knows no size: entries come and go while it runs. */
  @Override
  public Spliterator<K> spliterator() {
    return Spliterators.spliteratorUnknownSize(
        iterator(), Spliterator.DISTINCT | Spliterator.CONCURRENT | Spliterator.NONNULL);
  }

  @Override
  public CacheStream<K> stream() {
    return streams.apply(false);
  }

  @Override
  public CacheStream<K> parallelStream() {
    return streams.apply(true);
  }

  @Override
  public int size() {
    return cache.size();
  }

  @Override
  public boolean add(K key) {
    throw new UnsupportedOperationException(
        "a key alone can't be added: put an entry into the cache");
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
