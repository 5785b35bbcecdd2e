package dev.isogrid.api;

import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The input of a map/reduce: a cache, all of it or a part. Made by {@link Grid#mapReduce}; its
 * methods give new ones. Immutable.
 *
 * @param <K> the cache's keys
 * @param <V> the cache's values
 */
public final class MapReduceInput<K, V> {
  private final MapReduceLauncher launcher;
  private final Cache<K, V> cache;
  private final @Nullable Set<K> keys;
  private final @Nullable Set<Integer> segments;
  private final @Nullable EntryFilter<? super K, ? super V> filter;

  private MapReduceInput(
      MapReduceLauncher launcher,
      Cache<K, V> cache,
      @Nullable Set<K> keys,
      @Nullable Set<Integer> segments,
      @Nullable EntryFilter<? super K, ? super V> filter) {
    this.launcher = launcher;
    this.cache = cache;
    this.keys = keys;
    this.segments = segments;
    this.filter = filter;
  }

  /** All entries of a cache. For implementations of a grid. */
  public static <K, V> MapReduceInput<K, V> of(MapReduceLauncher launcher, Cache<K, V> cache) {
    return new MapReduceInput<>(launcher, Objects.requireNonNull(cache), null, null, null);
  }

  /** These keys only. */
  public MapReduceInput<K, V> onKeys(Collection<? extends K> keys) {
    return new MapReduceInput<>(launcher, cache, Set.copyOf(keys), segments, filter);
  }

  /** These segments only, 0 to the number of segments - 1. */
  public MapReduceInput<K, V> onSegments(Collection<Integer> segments) {
    return new MapReduceInput<>(launcher, cache, keys, Set.copyOf(segments), filter);
  }

  /** Only the entries that a filter accepts; it replaces an earlier one. */
  public MapReduceInput<K, V> filteredBy(EntryFilter<? super K, ? super V> filter) {
    return new MapReduceInput<>(launcher, cache, keys, segments, Objects.requireNonNull(filter));
  }

  /** Sets the mapper, which makes pairs of each entry. */
  public <A, B> MapReduceTask<A, B> mappedWith(Mapper<? super K, ? super V, A, B> mapper) {
    return new MapReduceTask<>(launcher, this, Objects.requireNonNull(mapper));
  }

  /** Sets a mapper of the bytes of each entry; can't be combined with {@link #filteredBy}. */
  public <A, B> MapReduceTask<A, B> mappedByBytesWith(BytesMapper<A, B> mapper) {
    return new MapReduceTask<>(launcher, this, Objects.requireNonNull(mapper));
  }

  /** Counts the entries by a trait. */
  public <A> MapReduceTask<A, Long> countBy(Trait<? super K, ? super V, A> trait) {
    return sumBy(trait, (_key, _value) -> 1L);
  }

  /** Adds up a number of each entry, by a trait. */
  public <A> MapReduceTask<A, Long> sumBy(
      Trait<? super K, ? super V, A> trait, Trait<? super K, ? super V, Long> number) {
    Mapper<K, V, A, Long> mapper =
        (key, value, out) -> out.emit(trait.of(key, value), number.of(key, value));
    return mappedWith(mapper).combinedWith(LongCombiner.SUM);
  }

  /** Groups the keys of the entries by a trait; as arrays, in no order. */
  public <A> MapReduceTask<A, Object[]> groupBy(Trait<? super K, ? super V, A> trait) {
    Mapper<K, V, A, Object[]> mapper =
        (key, value, out) -> out.emit(trait.of(key, value), new Object[] {key});
    return mappedWith(mapper).combinedWith(MapReduceInput::concatenated);
  }

  private static Object[] concatenated(Object[] left, Object[] right) {
    Object[] both = new Object[left.length + right.length];
    System.arraycopy(left, 0, both, 0, left.length);
    System.arraycopy(right, 0, both, left.length, right.length);
    return both;
  }

  /** The cache. */
  public Cache<K, V> cache() {
    return cache;
  }

  /** The keys, or null for all. */
  public @Nullable Set<K> keys() {
    return keys;
  }

  /** The segments, or null for all. */
  public @Nullable Set<Integer> segments() {
    return segments;
  }

  /** The filter, or null for all entries. */
  public @Nullable EntryFilter<? super K, ? super V> filter() {
    return filter;
  }
}
