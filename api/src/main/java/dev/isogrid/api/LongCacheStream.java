package dev.isogrid.api;

import dev.isogrid.api.function.SerializableBiConsumer;
import dev.isogrid.api.function.SerializableLongBinaryOperator;
import dev.isogrid.api.function.SerializableLongConsumer;
import dev.isogrid.api.function.SerializableLongFunction;
import dev.isogrid.api.function.SerializableLongPredicate;
import dev.isogrid.api.function.SerializableLongToDoubleFunction;
import dev.isogrid.api.function.SerializableLongToIntFunction;
import dev.isogrid.api.function.SerializableLongUnaryOperator;
import dev.isogrid.api.function.SerializableObjLongConsumer;
import dev.isogrid.api.function.SerializableSupplier;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongBinaryOperator;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.LongToDoubleFunction;
import java.util.function.LongToIntFunction;
import java.util.function.LongUnaryOperator;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * A {@link CacheStream} of primitive {@code long}. The rules of that interface hold here. For one
 * thread.
 */
@SuppressWarnings("overloads") // a lambda takes the narrower of two, which can be sent
public interface LongCacheStream extends LongStream {
  /**
   * Restricts the stream to some segments; nodes that have none of them are not asked.
   *
   * @throws IllegalArgumentException if there is no such segment
   */
  LongCacheStream filterKeySegments(int... segments);

  /** Restricts the stream to the entries of some keys, which are looked up instead of searched. */
  LongCacheStream filterKeys(Set<?> keys);

  /**
   * Sets how many elements a node hands over at once to iterators and to steps that need all
   * elements at the caller. Without it a batch is adapted, up to about a mebibyte.
   *
   * @param elements 1 to 1,000,000
   */
  LongCacheStream distributedBatchSize(int elements);

  /**
   * Sets how long a node may go on without handing anything over until the stream fails with a
   * {@link RetryableGridException}; a minute if not set. Limits waits for other nodes only, not
   * local work.
   */
  LongCacheStream timeout(long timeout, TimeUnit unit);

  /** As {@link #timeout(long, TimeUnit)}. */
  default LongCacheStream timeout(Duration timeout) {
    return timeout(
        TimeUnit.MILLISECONDS.convert(Objects.requireNonNull(timeout, "timeout")),
        TimeUnit.MILLISECONDS);
  }

  /** Asks the nodes one after the other. */
  LongCacheStream sequentialDistribution();

  /** Asks all nodes at the same time; this is the default. */
  LongCacheStream parallelDistribution();

  /**
   * Takes the entries that a segment has left if it moves meanwhile, and does not ask its new node:
   * entries may be missed, none is seen twice.
   */
  LongCacheStream disableRehashAware();

  /** Asks again for segments that move, at their new node; this is the default. */
  LongCacheStream enableRehashAware();

  /**
   * Sets the receiver of segments that are done: for an iterator when the last element was taken,
   * else when the result was taken over. Called by the thread that uses the stream.
   */
  LongCacheStream segmentCompletionListener(Consumer<int[]> listener);

  @Override
  LongCacheStream filter(LongPredicate predicate);

  /** As {@link #filter(LongPredicate)}, for a lambda. */
  default LongCacheStream filter(SerializableLongPredicate predicate) {
    return filter((LongPredicate) predicate);
  }

  @Override
  LongCacheStream map(LongUnaryOperator mapper);

  /** As {@link #map(LongUnaryOperator)}, for a lambda. */
  default LongCacheStream map(SerializableLongUnaryOperator mapper) {
    return map((LongUnaryOperator) mapper);
  }

  @Override
  <U> CacheStream<U> mapToObj(LongFunction<? extends U> mapper);

  /** As {@link #mapToObj(LongFunction)}, for a lambda. */
  default <U> CacheStream<U> mapToObj(SerializableLongFunction<? extends U> mapper) {
    return mapToObj((LongFunction<? extends U>) mapper);
  }

  @Override
  IntCacheStream mapToInt(LongToIntFunction mapper);

  /** As {@link #mapToInt(LongToIntFunction)}, for a lambda. */
  default IntCacheStream mapToInt(SerializableLongToIntFunction mapper) {
    return mapToInt((LongToIntFunction) mapper);
  }

  @Override
  DoubleCacheStream mapToDouble(LongToDoubleFunction mapper);

  /** As {@link #mapToDouble(LongToDoubleFunction)}, for a lambda. */
  default DoubleCacheStream mapToDouble(SerializableLongToDoubleFunction mapper) {
    return mapToDouble((LongToDoubleFunction) mapper);
  }

  @Override
  LongCacheStream flatMap(LongFunction<? extends LongStream> mapper);

  /** As {@link #flatMap(LongFunction)}, for a lambda. */
  default LongCacheStream flatMap(SerializableLongFunction<? extends LongStream> mapper) {
    return flatMap((LongFunction<? extends LongStream>) mapper);
  }

  @Override
  LongCacheStream mapMulti(LongMapMultiConsumer mapper);

  @Override
  LongCacheStream peek(LongConsumer action);

  /** As {@link #peek(LongConsumer)}, for a lambda. */
  default LongCacheStream peek(SerializableLongConsumer action) {
    return peek((LongConsumer) action);
  }

  @Override
  LongCacheStream distinct();

  @Override
  LongCacheStream sorted();

  @Override
  LongCacheStream limit(long maxSize);

  @Override
  LongCacheStream skip(long n);

  @Override
  LongCacheStream sequential();

  @Override
  LongCacheStream parallel();

  @Override
  LongCacheStream unordered();

  @Override
  LongCacheStream onClose(Runnable closeHandler);

  @Override
  LongCacheStream takeWhile(LongPredicate predicate);

  @Override
  LongCacheStream dropWhile(LongPredicate predicate);

  @Override
  DoubleCacheStream asDoubleStream();

  @Override
  CacheStream<Long> boxed();

  /** As {@link #forEach(LongConsumer)}, for a lambda. */
  default void forEach(SerializableLongConsumer action) {
    forEach((LongConsumer) action);
  }

  /** As {@link #reduce(long, LongBinaryOperator)}, for a lambda. */
  default long reduce(long identity, SerializableLongBinaryOperator operator) {
    return reduce(identity, (LongBinaryOperator) operator);
  }

  /** As {@link #reduce(LongBinaryOperator)}, for a lambda. */
  default OptionalLong reduce(SerializableLongBinaryOperator operator) {
    return reduce((LongBinaryOperator) operator);
  }

  /** As {@link #collect(Supplier, ObjLongConsumer, BiConsumer)}, for lambdas. */
  default <R> R collect(
      SerializableSupplier<R> supplier,
      SerializableObjLongConsumer<R> accumulator,
      SerializableBiConsumer<R, R> combiner) {
    return collect(
        (Supplier<R>) supplier, (ObjLongConsumer<R>) accumulator, (BiConsumer<R, R>) combiner);
  }

  /** As {@link #anyMatch(LongPredicate)}, for a lambda. */
  default boolean anyMatch(SerializableLongPredicate predicate) {
    return anyMatch((LongPredicate) predicate);
  }

  /** As {@link #allMatch(LongPredicate)}, for a lambda. */
  default boolean allMatch(SerializableLongPredicate predicate) {
    return allMatch((LongPredicate) predicate);
  }

  /** As {@link #noneMatch(LongPredicate)}, for a lambda. */
  default boolean noneMatch(SerializableLongPredicate predicate) {
    return noneMatch((LongPredicate) predicate);
  }
}
