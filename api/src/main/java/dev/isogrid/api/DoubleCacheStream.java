package dev.isogrid.api;

import dev.isogrid.api.function.SerializableBiConsumer;
import dev.isogrid.api.function.SerializableDoubleBinaryOperator;
import dev.isogrid.api.function.SerializableDoubleConsumer;
import dev.isogrid.api.function.SerializableDoubleFunction;
import dev.isogrid.api.function.SerializableDoublePredicate;
import dev.isogrid.api.function.SerializableDoubleToIntFunction;
import dev.isogrid.api.function.SerializableDoubleToLongFunction;
import dev.isogrid.api.function.SerializableDoubleUnaryOperator;
import dev.isogrid.api.function.SerializableObjDoubleConsumer;
import dev.isogrid.api.function.SerializableSupplier;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleFunction;
import java.util.function.DoublePredicate;
import java.util.function.DoubleToIntFunction;
import java.util.function.DoubleToLongFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ObjDoubleConsumer;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;

/**
 * A {@link CacheStream} of primitive {@code double}. The rules of that interface hold here. For one
 * thread.
 */
@SuppressWarnings("overloads") // a lambda takes the narrower of two, which can be sent
public interface DoubleCacheStream extends DoubleStream {
  /**
   * Restricts the stream to some segments; nodes that have none of them are not asked.
   *
   * @throws IllegalArgumentException if there is no such segment
   */
  DoubleCacheStream filterKeySegments(int... segments);

  /** Restricts the stream to the entries of some keys, which are looked up instead of searched. */
  DoubleCacheStream filterKeys(Set<?> keys);

  /**
   * Sets how many elements a node hands over at once to iterators and to steps that need all
   * elements at the caller. Without it a batch is adapted, up to about a mebibyte.
   *
   * @param elements 1 to 1,000,000
   */
  DoubleCacheStream distributedBatchSize(int elements);

  /**
   * Sets how long a node may go on without handing anything over until the stream fails with a
   * {@link RetryableGridException}; a minute if not set. Limits waits for other nodes only, not
   * local work.
   */
  DoubleCacheStream timeout(long timeout, TimeUnit unit);

  /** As {@link #timeout(long, TimeUnit)}. */
  default DoubleCacheStream timeout(Duration timeout) {
    return timeout(
        TimeUnit.MILLISECONDS.convert(Objects.requireNonNull(timeout, "timeout")),
        TimeUnit.MILLISECONDS);
  }

  /** Asks the nodes one after the other. */
  DoubleCacheStream sequentialDistribution();

  /** Asks all nodes at the same time; this is the default. */
  DoubleCacheStream parallelDistribution();

  /**
   * Takes the entries that a segment has left if it moves meanwhile, and does not ask its new node:
   * entries may be missed, none is seen twice.
   */
  DoubleCacheStream disableRehashAware();

  /** Asks again for segments that move, at their new node; this is the default. */
  DoubleCacheStream enableRehashAware();

  /**
   * Sets the receiver of segments that are done: for an iterator when the last element was taken,
   * else when the result was taken over. Called by the thread that uses the stream.
   */
  DoubleCacheStream segmentCompletionListener(Consumer<int[]> listener);

  @Override
  DoubleCacheStream filter(DoublePredicate predicate);

  /** As {@link #filter(DoublePredicate)}, for a lambda. */
  default DoubleCacheStream filter(SerializableDoublePredicate predicate) {
    return filter((DoublePredicate) predicate);
  }

  @Override
  DoubleCacheStream map(DoubleUnaryOperator mapper);

  /** As {@link #map(DoubleUnaryOperator)}, for a lambda. */
  default DoubleCacheStream map(SerializableDoubleUnaryOperator mapper) {
    return map((DoubleUnaryOperator) mapper);
  }

  @Override
  <U> CacheStream<U> mapToObj(DoubleFunction<? extends U> mapper);

  /** As {@link #mapToObj(DoubleFunction)}, for a lambda. */
  default <U> CacheStream<U> mapToObj(SerializableDoubleFunction<? extends U> mapper) {
    return mapToObj((DoubleFunction<? extends U>) mapper);
  }

  @Override
  IntCacheStream mapToInt(DoubleToIntFunction mapper);

  /** As {@link #mapToInt(DoubleToIntFunction)}, for a lambda. */
  default IntCacheStream mapToInt(SerializableDoubleToIntFunction mapper) {
    return mapToInt((DoubleToIntFunction) mapper);
  }

  @Override
  LongCacheStream mapToLong(DoubleToLongFunction mapper);

  /** As {@link #mapToLong(DoubleToLongFunction)}, for a lambda. */
  default LongCacheStream mapToLong(SerializableDoubleToLongFunction mapper) {
    return mapToLong((DoubleToLongFunction) mapper);
  }

  @Override
  DoubleCacheStream flatMap(DoubleFunction<? extends DoubleStream> mapper);

  /** As {@link #flatMap(DoubleFunction)}, for a lambda. */
  default DoubleCacheStream flatMap(SerializableDoubleFunction<? extends DoubleStream> mapper) {
    return flatMap((DoubleFunction<? extends DoubleStream>) mapper);
  }

  @Override
  DoubleCacheStream mapMulti(DoubleMapMultiConsumer mapper);

  @Override
  DoubleCacheStream peek(DoubleConsumer action);

  /** As {@link #peek(DoubleConsumer)}, for a lambda. */
  default DoubleCacheStream peek(SerializableDoubleConsumer action) {
    return peek((DoubleConsumer) action);
  }

  @Override
  DoubleCacheStream distinct();

  @Override
  DoubleCacheStream sorted();

  @Override
  DoubleCacheStream limit(long maxSize);

  @Override
  DoubleCacheStream skip(long n);

  @Override
  DoubleCacheStream sequential();

  @Override
  DoubleCacheStream parallel();

  @Override
  DoubleCacheStream unordered();

  @Override
  DoubleCacheStream onClose(Runnable closeHandler);

  @Override
  DoubleCacheStream takeWhile(DoublePredicate predicate);

  @Override
  DoubleCacheStream dropWhile(DoublePredicate predicate);

  @Override
  CacheStream<Double> boxed();

  /** As {@link #forEach(DoubleConsumer)}, for a lambda. */
  default void forEach(SerializableDoubleConsumer action) {
    forEach((DoubleConsumer) action);
  }

  /** As {@link #reduce(double, DoubleBinaryOperator)}, for a lambda. */
  default double reduce(double identity, SerializableDoubleBinaryOperator operator) {
    return reduce(identity, (DoubleBinaryOperator) operator);
  }

  /** As {@link #reduce(DoubleBinaryOperator)}, for a lambda. */
  default OptionalDouble reduce(SerializableDoubleBinaryOperator operator) {
    return reduce((DoubleBinaryOperator) operator);
  }

  /** As {@link #collect(Supplier, ObjDoubleConsumer, BiConsumer)}, for lambdas. */
  default <R> R collect(
      SerializableSupplier<R> supplier,
      SerializableObjDoubleConsumer<R> accumulator,
      SerializableBiConsumer<R, R> combiner) {
    return collect(
        (Supplier<R>) supplier, (ObjDoubleConsumer<R>) accumulator, (BiConsumer<R, R>) combiner);
  }

  /** As {@link #anyMatch(DoublePredicate)}, for a lambda. */
  default boolean anyMatch(SerializableDoublePredicate predicate) {
    return anyMatch((DoublePredicate) predicate);
  }

  /** As {@link #allMatch(DoublePredicate)}, for a lambda. */
  default boolean allMatch(SerializableDoublePredicate predicate) {
    return allMatch((DoublePredicate) predicate);
  }

  /** As {@link #noneMatch(DoublePredicate)}, for a lambda. */
  default boolean noneMatch(SerializableDoublePredicate predicate) {
    return noneMatch((DoublePredicate) predicate);
  }
}
