package dev.isogrid.client;

import dev.isogrid.wire.HotRod;
import java.util.AbstractCollection;
import java.util.AbstractMap.SimpleEntry;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.AbstractSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.Flow;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The contents of a cache: as sets, iterators and publishers. Thread-safe. */
@SuppressWarnings("unchecked") // the user says what the cache holds
final class CacheViews<K, V> {
  private final RemoteCache<K, V> cache;
  private final Router router;
  private final RequestFormat format;

  CacheViews(RemoteCache<K, V> cache, Router router, RequestFormat format) {
    this.cache = cache;
    this.router = router;
    this.format = format;
  }

  private K key(IterationOperation.Row row) {
    return (K) Objects.requireNonNull(row.key(), "key");
  }

  @SuppressWarnings("NullAway") // no bytes at all are read as null, as by get
  private V value(IterationOperation.Row row) {
    return (V) row.value();
  }

  /** Key and value of a row; a value that is set goes to the cache. */
  Map.Entry<K, V> entry(IterationOperation.Row row) {
    return new WrittenThrough(key(row), value(row));
  }

  private final class WrittenThrough extends SimpleEntry<K, V> {
    private static final long serialVersionUID = 1;

    WrittenThrough(K key, V value) {
      super(key, value);
    }

    @Override
    public V setValue(V value) {
      cache.put(getKey(), value);
      return super.setValue(value);
    }
  }

  /** Key, and value with metadata, of a row. */
  Map.Entry<K, MetadataValue<V>> entryWithMetadata(IterationOperation.Row row) {
    MetadataValue<Boolean> metadata = row.metadata();
    MetadataValue<Boolean> known =
        metadata != null ? metadata : new MetadataValue<>(true, 0, -1, -1, -1, -1);
    return new SimpleImmutableEntry<>(key(row), known.of(value(row)));
  }

  /** The query for some segments' entries. */
  IterationQuery query(
      @Nullable String factory,
      Object @Nullable [] parameters,
      @Nullable Set<Integer> segments,
      int batchSize) {
    List<byte[]> bytes = IterationQuery.marshalled(parameters, format.values());
    return new IterationQuery(factory, bytes, segments, batchSize, false);
  }

  <E> CloseableIterator<E> iterator(
      IterationQuery query, Function<IterationOperation.Row, E> view) {
    BatchSource iteration = EntryIteration.parallel(router, format, query);
    return new BatchIterator<>(iteration, view, row -> cache.remove(key(row)));
  }

  <E> Flow.Publisher<E> publisher(IterationQuery query, Function<IterationOperation.Row, E> view) {
    return subscriber -> {
      Objects.requireNonNull(subscriber, "subscriber");
      BatchSource iteration = EntryIteration.parallel(router, format, query);
      EntrySubscription.begin(router.callbacks(), iteration, view, subscriber);
    };
  }

  private static <E> Stream<E> stream(
      CloseableIterator<E> iterator, int characteristics, boolean isParallel) {
    return StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(iterator, characteristics), isParallel)
        .onClose(iterator::close);
  }

  /** The keys of some segments, or of all if null is given. */
  CloseableIteratorSet<K> keySet(@Nullable Set<Integer> segments) {
    IterationQuery query =
        query(HotRod.EMPTY_VALUE_CONVERTER, null, segments, router.config().batchSize());
    return new SetView<>(query, this::key) {
      @Override
      public boolean add(K key) {
        throw new UnsupportedOperationException(
            "a key alone can't be added: put an entry into the cache");
      }

      @Override
      public boolean contains(Object key) {
        return isWanted(key) && cache.containsKey((K) key);
      }

      @Override
      public boolean remove(Object key) {
        return isWanted(key) && cache.withFlags(Flag.FORCE_RETURN_VALUE).remove((K) key) != null;
      }
    };
  }

  /** The entries of some segments, or of all if null is given. */
  CloseableIteratorSet<Map.Entry<K, V>> entrySet(@Nullable Set<Integer> segments) {
    IterationQuery query = query(null, null, segments, router.config().batchSize());
    return new SetView<>(query, this::entry) {
      @Override
      public boolean add(Map.Entry<K, V> entry) {
        K key = Objects.requireNonNull(entry, "entry").getKey();
        if (key != null && !isWanted(key)) {
          throw new IllegalArgumentException(
              "entry is of none of the view's segments: put it into the cache");
        }
        V before = cache.withFlags(Flag.FORCE_RETURN_VALUE).put(key, entry.getValue());
        return !Objects.deepEquals(before, entry.getValue());
      }

      @Override
      public boolean contains(Object object) {
        return object instanceof Map.Entry<?, ?> entry
            && entry.getKey() != null
            && entry.getValue() != null
            && isWanted(entry.getKey())
            && Objects.deepEquals(cache.get((K) entry.getKey()), entry.getValue());
      }

      @Override
      public boolean remove(Object object) {
        return object instanceof Map.Entry<?, ?> entry
            && entry.getKey() != null
            && isWanted(entry.getKey())
            && cache.remove((K) entry.getKey(), (V) entry.getValue());
      }
    };
  }

  /** The values of some segments, or of all if null is given. */
  CloseableIteratorCollection<V> values(@Nullable Set<Integer> segments) {
    IterationQuery query = query(null, null, segments, router.config().batchSize());
    return new ValuesView(query);
  }

  /** Counts by going through all, if that is not all of the cache. */
  private int size(IterationQuery query) {
    if (query.segments() == null) {
      return cache.size();
    }
    int count = 0;
    try (CloseableIterator<Boolean> rows = iterator(query, row -> true)) {
      while (rows.hasNext()) {
        rows.next();
        count++;
      }
    }
    return count;
  }

  private void clear(IterationQuery query) {
    if (query.segments() == null) {
      cache.clear();
      return;
    }
    try (CloseableIterator<K> keys = iterator(query, this::key)) {
      while (keys.hasNext()) {
        keys.next();
        keys.remove();
      }
    }
  }

  private abstract class SetView<E> extends AbstractSet<E> implements CloseableIteratorSet<E> {
    private final IterationQuery query;
    private final Function<IterationOperation.Row, E> view;

    SetView(IterationQuery query, Function<IterationOperation.Row, E> view) {
      this.query = query;
      this.view = view;
    }

    final boolean isWanted(Object key) {
      Set<Integer> segments = query.segments();
      return segments == null
          || segments.contains(format.cache().topology().segment(format.keys().keyBytes(key)));
    }

    @Override
    public CloseableIterator<E> iterator() {
      return CacheViews.this.iterator(query, view);
    }

    @Override
    public Spliterator<E> spliterator() {
      return Spliterators.spliteratorUnknownSize(iterator(), Spliterator.DISTINCT);
    }

    @Override
    public Stream<E> stream() {
      return CacheViews.stream(iterator(), Spliterator.DISTINCT, false);
    }

    @Override
    public Stream<E> parallelStream() {
      return CacheViews.stream(iterator(), Spliterator.DISTINCT, true);
    }

    @Override
    public int size() {
      return CacheViews.this.size(query);
    }

    @Override
    public void clear() {
      CacheViews.this.clear(query);
    }
  }

  private final class ValuesView extends AbstractCollection<V>
      implements CloseableIteratorCollection<V> {
    private final IterationQuery query;

    ValuesView(IterationQuery query) {
      this.query = query;
    }

    @Override
    public CloseableIterator<V> iterator() {
      return CacheViews.this.iterator(query, CacheViews.this::value);
    }

    @Override
    public Spliterator<V> spliterator() {
      return Spliterators.spliteratorUnknownSize(iterator(), 0);
    }

    @Override
    public Stream<V> stream() {
      return CacheViews.stream(iterator(), 0, false);
    }

    @Override
    public Stream<V> parallelStream() {
      return CacheViews.stream(iterator(), 0, true);
    }

    @Override
    public boolean add(V value) {
      throw new UnsupportedOperationException(
          "a value alone can't be added: put an entry into the cache");
    }

    @Override
    public boolean contains(Object value) {
      try (CloseableIterator<V> values = iterator()) {
        while (values.hasNext()) {
          if (Objects.deepEquals(values.next(), value)) {
            return true;
          }
        }
      }
      return false;
    }

    @Override
    public boolean remove(Object value) {
      try (CloseableIterator<V> values = iterator()) {
        while (values.hasNext()) {
          if (Objects.deepEquals(values.next(), value)) {
            values.remove();
            return true;
          }
        }
      }
      return false;
    }

    @Override
    public int size() {
      return CacheViews.this.size(query);
    }

    @Override
    public void clear() {
      CacheViews.this.clear(query);
    }
  }
}
