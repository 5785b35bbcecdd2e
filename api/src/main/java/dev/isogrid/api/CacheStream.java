package dev.isogrid.api;

import dev.isogrid.api.function.SerializableBiConsumer;
import dev.isogrid.api.function.SerializableBiFunction;
import dev.isogrid.api.function.SerializableBinaryOperator;
import dev.isogrid.api.function.SerializableComparator;
import dev.isogrid.api.function.SerializableConsumer;
import dev.isogrid.api.function.SerializableFunction;
import dev.isogrid.api.function.SerializablePredicate;
import dev.isogrid.api.function.SerializableSupplier;
import dev.isogrid.api.function.SerializableToDoubleFunction;
import dev.isogrid.api.function.SerializableToIntFunction;
import dev.isogrid.api.function.SerializableToLongFunction;
import java.time.Duration;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collector;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A stream over a cache that is evaluated where the entries are. Its steps are sent to the nodes
 * that answer for the segments, each segment is answered by one node at one time, and the caller
 * combines the results. An entry that is present throughout counts exactly once, also while nodes
 * come, leave and fail. The functions run on other nodes and may run again if a segment moves, so
 * they must be serialisable where the cache is clustered, and must not depend on state of their
 * own.
 *
 * <p>From a step that needs all elements ({@code distinct}, {@code sorted}, {@code limit}, {@code
 * skip}, {@code takeWhile}, {@code dropWhile}) on, elements come to the caller batch by batch and
 * the rest is done there. There is no order before {@code sorted}.
 *
 * <p>The caller gets an exception of a function as it is, with a suppressed exception that names
 * the node. A function that can't be sent fails the call with an {@link InvalidRequestException}. A
 * parallel stream uses all processors of each node, any other stream one thread of each. A stream
 * that is used by its iterator or spliterator should be closed. For one thread.
 *
 * @param <T> the type of the elements
 */
@SuppressWarnings("overloads") // a lambda takes the narrower of two, which can be sent
public interface CacheStream<T> extends Stream<T> {
  /**
   * Restricts the stream to some segments; nodes that have none of them are not asked.
   *
   * @throws IllegalArgumentException if there is no such segment
   */
  CacheStream<T> filterKeySegments(int... segments);

  /** Restricts the stream to the entries of some keys, which are looked up instead of searched. */
  CacheStream<T> filterKeys(Set<?> keys);

  /**
   * Sets how many elements a node hands over at once to iterators and to steps that need all
   * elements at the caller. Without it a batch is adapted, up to about a mebibyte.
   *
   * @param elements 1 to 1,000,000
   */
  CacheStream<T> distributedBatchSize(int elements);

  /**
   * Sets how long a node may go on without handing anything over until the stream fails with a
   * {@link RetryableGridException}; a minute if not set. Limits waits for other nodes only, not
   * local work.
   */
  CacheStream<T> timeout(long timeout, TimeUnit unit);

  /** As {@link #timeout(long, TimeUnit)}. */
  default CacheStream<T> timeout(Duration timeout) {
    return timeout(
        TimeUnit.MILLISECONDS.convert(Objects.requireNonNull(timeout, "timeout")),
        TimeUnit.MILLISECONDS);
  }

  /** Asks the nodes one after the other. */
  CacheStream<T> sequentialDistribution();

  /** Asks all nodes at the same time; this is the default. */
  CacheStream<T> parallelDistribution();

  /**
   * Takes the entries that a segment has left if it moves meanwhile, and does not ask its new node:
   * entries may be missed, none is seen twice.
   */
  CacheStream<T> disableRehashAware();

  /** Asks again for segments that move, at their new node; this is the default. */
  CacheStream<T> enableRehashAware();

  /**
   * Sets the receiver of segments that are done: for an iterator when the last element was taken,
   * else when the result was taken over. Called by the thread that uses the stream.
   */
  CacheStream<T> segmentCompletionListener(Consumer<int[]> listener);

  @Override
  CacheStream<T> filter(Predicate<? super T> predicate);

  /** As {@link #filter(Predicate)}, for a lambda. */
  default CacheStream<T> filter(SerializablePredicate<? super T> predicate) {
    return filter((Predicate<? super T>) predicate);
  }

  @Override
  <R> CacheStream<R> map(Function<? super T, ? extends R> mapper);

  /** As {@link #map(Function)}, for a lambda. */
  default <R> CacheStream<R> map(SerializableFunction<? super T, ? extends R> mapper) {
    return map((Function<? super T, ? extends R>) mapper);
  }

  @Override
  IntCacheStream mapToInt(ToIntFunction<? super T> mapper);

  /** As {@link #mapToInt(ToIntFunction)}, for a lambda. */
  default IntCacheStream mapToInt(SerializableToIntFunction<? super T> mapper) {
    return mapToInt((ToIntFunction<? super T>) mapper);
  }

  @Override
  LongCacheStream mapToLong(ToLongFunction<? super T> mapper);

  /** As {@link #mapToLong(ToLongFunction)}, for a lambda. */
  default LongCacheStream mapToLong(SerializableToLongFunction<? super T> mapper) {
    return mapToLong((ToLongFunction<? super T>) mapper);
  }

  @Override
  DoubleCacheStream mapToDouble(ToDoubleFunction<? super T> mapper);

  /** As {@link #mapToDouble(ToDoubleFunction)}, for a lambda. */
  default DoubleCacheStream mapToDouble(SerializableToDoubleFunction<? super T> mapper) {
    return mapToDouble((ToDoubleFunction<? super T>) mapper);
  }

  @Override
  <R> CacheStream<R> flatMap(Function<? super T, ? extends Stream<? extends R>> mapper);

  /** As {@link #flatMap(Function)}, for a lambda. */
  default <R> CacheStream<R> flatMap(
      SerializableFunction<? super T, ? extends Stream<? extends R>> mapper) {
    return flatMap((Function<? super T, ? extends Stream<? extends R>>) mapper);
  }

  @Override
  IntCacheStream flatMapToInt(Function<? super T, ? extends IntStream> mapper);

  /** As {@link #flatMapToInt(Function)}, for a lambda. */
  default IntCacheStream flatMapToInt(SerializableFunction<? super T, ? extends IntStream> mapper) {
    return flatMapToInt((Function<? super T, ? extends IntStream>) mapper);
  }

  @Override
  LongCacheStream flatMapToLong(Function<? super T, ? extends LongStream> mapper);

  /** As {@link #flatMapToLong(Function)}, for a lambda. */
  default LongCacheStream flatMapToLong(
      SerializableFunction<? super T, ? extends LongStream> mapper) {
    return flatMapToLong((Function<? super T, ? extends LongStream>) mapper);
  }

  @Override
  DoubleCacheStream flatMapToDouble(Function<? super T, ? extends DoubleStream> mapper);

  /** As {@link #flatMapToDouble(Function)}, for a lambda. */
  default DoubleCacheStream flatMapToDouble(
      SerializableFunction<? super T, ? extends DoubleStream> mapper) {
    return flatMapToDouble((Function<? super T, ? extends DoubleStream>) mapper);
  }

  @Override
  <R> CacheStream<R> mapMulti(BiConsumer<? super T, ? super Consumer<R>> mapper);

  /** As {@link #mapMulti(BiConsumer)}, for a lambda. */
  default <R> CacheStream<R> mapMulti(
      SerializableBiConsumer<? super T, ? super Consumer<R>> mapper) {
    return mapMulti((BiConsumer<? super T, ? super Consumer<R>>) mapper);
  }

  @Override
  CacheStream<T> peek(Consumer<? super T> action);

  /** As {@link #peek(Consumer)}, for a lambda. */
  default CacheStream<T> peek(SerializableConsumer<? super T> action) {
    return peek((Consumer<? super T>) action);
  }

  @Override
  CacheStream<T> distinct();

  @Override
  CacheStream<T> sorted();

  @Override
  CacheStream<T> limit(long maxSize);

  @Override
  CacheStream<T> skip(long n);

  @Override
  CacheStream<T> sequential();

  @Override
  CacheStream<T> parallel();

  @Override
  CacheStream<T> unordered();

  @Override
  CacheStream<T> onClose(Runnable closeHandler);

  @Override
  CacheStream<T> sorted(Comparator<? super T> comparator);

  /** As {@link #sorted(Comparator)}, for a lambda. */
  default CacheStream<T> sorted(SerializableComparator<? super T> comparator) {
    return sorted((Comparator<? super T>) comparator);
  }

  @Override
  CacheStream<T> takeWhile(Predicate<? super T> predicate);

  @Override
  CacheStream<T> dropWhile(Predicate<? super T> predicate);

  /** As {@link #forEach(Consumer)}, for a lambda. */
  default void forEach(SerializableConsumer<? super T> action) {
    forEach((Consumer<? super T>) action);
  }

  /**
   * Does something with each element where it is, with the cache as that node has it. An element
   * may be met more than once if its segment moves or its node fails.
   */
  <K, V> void forEach(SerializableBiConsumer<Cache<K, V>, ? super T> action);

  /** As {@link #reduce(Object, BinaryOperator)}, for a lambda. */
  default T reduce(T identity, SerializableBinaryOperator<T> accumulator) {
    return reduce(identity, (BinaryOperator<T>) accumulator);
  }

  /** As {@link #reduce(BinaryOperator)}, for a lambda. */
  default Optional<T> reduce(SerializableBinaryOperator<T> accumulator) {
    return reduce((BinaryOperator<T>) accumulator);
  }

  /** As {@link #reduce(Object, BiFunction, BinaryOperator)}, for lambdas. */
  default <U> U reduce(
      U identity,
      SerializableBiFunction<U, ? super T, U> accumulator,
      SerializableBinaryOperator<U> combiner) {
    return reduce(
        identity, (BiFunction<U, ? super T, U>) accumulator, (BinaryOperator<U>) combiner);
  }

  /** As {@link #collect(Supplier, BiConsumer, BiConsumer)}, for lambdas. */
  default <R> R collect(
      SerializableSupplier<R> supplier,
      SerializableBiConsumer<R, ? super T> accumulator,
      SerializableBiConsumer<R, R> combiner) {
    return collect(
        (Supplier<R>) supplier,
        (BiConsumer<R, ? super T>) accumulator,
        (BiConsumer<R, R>) combiner);
  }

  /**
   * As {@link #collect(Collector)} with a collector that is made where it is used, since those of
   * the JDK can't be sent: {@code collect(() -> Collectors.counting())}. The container that it
   * collects into must be serialisable; its finisher runs at the caller.
   */
  <R, A> R collect(SerializableSupplier<Collector<? super T, A, R>> supplier);

  /** As {@link #anyMatch(Predicate)}, for a lambda. */
  default boolean anyMatch(SerializablePredicate<? super T> predicate) {
    return anyMatch((Predicate<? super T>) predicate);
  }

  /** As {@link #allMatch(Predicate)}, for a lambda. */
  default boolean allMatch(SerializablePredicate<? super T> predicate) {
    return allMatch((Predicate<? super T>) predicate);
  }

  /** As {@link #noneMatch(Predicate)}, for a lambda. */
  default boolean noneMatch(SerializablePredicate<? super T> predicate) {
    return noneMatch((Predicate<? super T>) predicate);
  }

  /** As {@link #min(Comparator)}, for a lambda. */
  default Optional<T> min(SerializableComparator<? super T> comparator) {
    return min((Comparator<? super T>) comparator);
  }

  /** As {@link #max(Comparator)}, for a lambda. */
  default Optional<T> max(SerializableComparator<? super T> comparator) {
    return max((Comparator<? super T>) comparator);
  }
}
