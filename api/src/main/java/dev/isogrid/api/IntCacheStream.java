package dev.isogrid.api;

import dev.isogrid.api.function.SerializableBiConsumer;
import dev.isogrid.api.function.SerializableIntBinaryOperator;
import dev.isogrid.api.function.SerializableIntConsumer;
import dev.isogrid.api.function.SerializableIntFunction;
import dev.isogrid.api.function.SerializableIntPredicate;
import dev.isogrid.api.function.SerializableIntToDoubleFunction;
import dev.isogrid.api.function.SerializableIntToLongFunction;
import dev.isogrid.api.function.SerializableIntUnaryOperator;
import dev.isogrid.api.function.SerializableObjIntConsumer;
import dev.isogrid.api.function.SerializableSupplier;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntBinaryOperator;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A {@link CacheStream} of primitive {@code int}. The rules of that interface hold here. For one
 * thread.
 */
@SuppressWarnings("overloads") // a lambda takes the narrower of two, which can be sent
public interface IntCacheStream extends IntStream {
  /**
   * Restricts the stream to some segments; nodes that have none of them are not asked.
   *
   * @throws IllegalArgumentException if there is no such segment
   */
  IntCacheStream filterKeySegments(int... segments);

  /** Restricts the stream to the entries of some keys, which are looked up instead of searched. */
  IntCacheStream filterKeys(Set<?> keys);

  /**
   * Sets how many elements a node hands over at once to iterators and to steps that need all
   * elements at the caller. Without it a batch is adapted, up to about a mebibyte.
   *
   * @param elements 1 to 1,000,000
   */
  IntCacheStream distributedBatchSize(int elements);

  /**
   * Sets how long a node may go on without handing anything over until the stream fails with a
   * {@link RetryableGridException}; a minute if not set. Limits waits for other nodes only, not
   * local work.
   */
  IntCacheStream timeout(long timeout, TimeUnit unit);

  /** As {@link #timeout(long, TimeUnit)}. */
  default IntCacheStream timeout(Duration timeout) {
    return timeout(
        TimeUnit.MILLISECONDS.convert(Objects.requireNonNull(timeout, "timeout")),
        TimeUnit.MILLISECONDS);
  }

  /** Asks the nodes one after the other. */
  IntCacheStream sequentialDistribution();

  /** Asks all nodes at the same time; this is the default. */
  IntCacheStream parallelDistribution();

  /**
   * Takes the entries that a segment has left if it moves meanwhile, and does not ask its new node:
   * entries may be missed, none is seen twice.
   */
  IntCacheStream disableRehashAware();

  /** Asks again for segments that move, at their new node; this is the default. */
  IntCacheStream enableRehashAware();

  /**
   * Sets the receiver of segments that are done: for an iterator when the last element was taken,
   * else when the result was taken over. Called by the thread that uses the stream.
   */
  IntCacheStream segmentCompletionListener(Consumer<int[]> listener);

  @Override
  IntCacheStream filter(IntPredicate predicate);

  /** As {@link #filter(IntPredicate)}, for a lambda. */
  default IntCacheStream filter(SerializableIntPredicate predicate) {
    return filter((IntPredicate) predicate);
  }

  @Override
  IntCacheStream map(IntUnaryOperator mapper);

  /** As {@link #map(IntUnaryOperator)}, for a lambda. */
  default IntCacheStream map(SerializableIntUnaryOperator mapper) {
    return map((IntUnaryOperator) mapper);
  }

  @Override
  <U> CacheStream<U> mapToObj(IntFunction<? extends U> mapper);

  /** As {@link #mapToObj(IntFunction)}, for a lambda. */
  default <U> CacheStream<U> mapToObj(SerializableIntFunction<? extends U> mapper) {
    return mapToObj((IntFunction<? extends U>) mapper);
  }

  @Override
  LongCacheStream mapToLong(IntToLongFunction mapper);

  /** As {@link #mapToLong(IntToLongFunction)}, for a lambda. */
  default LongCacheStream mapToLong(SerializableIntToLongFunction mapper) {
    return mapToLong((IntToLongFunction) mapper);
  }

  @Override
  DoubleCacheStream mapToDouble(IntToDoubleFunction mapper);

  /** As {@link #mapToDouble(IntToDoubleFunction)}, for a lambda. */
  default DoubleCacheStream mapToDouble(SerializableIntToDoubleFunction mapper) {
    return mapToDouble((IntToDoubleFunction) mapper);
  }

  @Override
  IntCacheStream flatMap(IntFunction<? extends IntStream> mapper);

  /** As {@link #flatMap(IntFunction)}, for a lambda. */
  default IntCacheStream flatMap(SerializableIntFunction<? extends IntStream> mapper) {
    return flatMap((IntFunction<? extends IntStream>) mapper);
  }

  @Override
  IntCacheStream mapMulti(IntMapMultiConsumer mapper);

  @Override
  IntCacheStream peek(IntConsumer action);

  /** As {@link #peek(IntConsumer)}, for a lambda. */
  default IntCacheStream peek(SerializableIntConsumer action) {
    return peek((IntConsumer) action);
  }

  @Override
  IntCacheStream distinct();

  @Override
  IntCacheStream sorted();

  @Override
  IntCacheStream limit(long maxSize);

  @Override
  IntCacheStream skip(long n);

  @Override
  IntCacheStream sequential();

  @Override
  IntCacheStream parallel();

  @Override
  IntCacheStream unordered();

  @Override
  IntCacheStream onClose(Runnable closeHandler);

  @Override
  IntCacheStream takeWhile(IntPredicate predicate);

  @Override
  IntCacheStream dropWhile(IntPredicate predicate);

  @Override
  LongCacheStream asLongStream();

  @Override
  DoubleCacheStream asDoubleStream();

  @Override
  CacheStream<Integer> boxed();

  /** As {@link #forEach(IntConsumer)}, for a lambda. */
  default void forEach(SerializableIntConsumer action) {
    forEach((IntConsumer) action);
  }

  /** As {@link #reduce(int, IntBinaryOperator)}, for a lambda. */
  default int reduce(int identity, SerializableIntBinaryOperator operator) {
    return reduce(identity, (IntBinaryOperator) operator);
  }

  /** As {@link #reduce(IntBinaryOperator)}, for a lambda. */
  default OptionalInt reduce(SerializableIntBinaryOperator operator) {
    return reduce((IntBinaryOperator) operator);
  }

  /** As {@link #collect(Supplier, ObjIntConsumer, BiConsumer)}, for lambdas. */
  default <R> R collect(
      SerializableSupplier<R> supplier,
      SerializableObjIntConsumer<R> accumulator,
      SerializableBiConsumer<R, R> combiner) {
    return collect(
        (Supplier<R>) supplier, (ObjIntConsumer<R>) accumulator, (BiConsumer<R, R>) combiner);
  }

  /** As {@link #anyMatch(IntPredicate)}, for a lambda. */
  default boolean anyMatch(SerializableIntPredicate predicate) {
    return anyMatch((IntPredicate) predicate);
  }

  /** As {@link #allMatch(IntPredicate)}, for a lambda. */
  default boolean allMatch(SerializableIntPredicate predicate) {
    return allMatch((IntPredicate) predicate);
  }

  /** As {@link #noneMatch(IntPredicate)}, for a lambda. */
  default boolean noneMatch(SerializableIntPredicate predicate) {
    return noneMatch((IntPredicate) predicate);
  }
}
