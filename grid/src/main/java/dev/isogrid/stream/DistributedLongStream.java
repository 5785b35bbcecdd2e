package dev.isogrid.stream;

import dev.isogrid.api.CacheStream;
import dev.isogrid.api.DoubleCacheStream;
import dev.isogrid.api.IntCacheStream;
import dev.isogrid.api.LongCacheStream;
import java.util.LongSummaryStatistics;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.PrimitiveIterator;
import java.util.Spliterator;
import java.util.function.BiConsumer;
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
import org.jspecify.annotations.NullUnmarked;

/** The stream of primitive {@code long} over a {@link StreamPlan}. For one thread. */
@NullUnmarked // as with any stream
@SuppressWarnings({"unchecked", "overloads", "try"}) // the plan's elements are what its steps say
final class DistributedLongStream extends ControlledStream<LongCacheStream>
    implements LongCacheStream {
  DistributedLongStream(StreamPlan<?, ?, ?, ?> plan) {
    super(plan);
  }

  @Override
  LongCacheStream next() {
    return new DistributedLongStream(plan);
  }

  @Override
  public LongCacheStream filter(LongPredicate predicate) {
    plan.add(Step.Kind.FILTER, Objects.requireNonNull(predicate, "predicate"));
    return new DistributedLongStream(plan);
  }

  @Override
  public LongCacheStream map(LongUnaryOperator mapper) {
    plan.add(Step.Kind.MAP, Objects.requireNonNull(mapper, "mapper"));
    return new DistributedLongStream(plan);
  }

  @Override
  public <U> CacheStream<U> mapToObj(LongFunction<? extends U> mapper) {
    plan.add(Step.Kind.MAP_TO_OBJECT, Objects.requireNonNull(mapper, "mapper"));
    return new DistributedStream<>(plan);
  }

  @Override
  public IntCacheStream mapToInt(LongToIntFunction mapper) {
    plan.add(Step.Kind.MAP_TO_INT, Objects.requireNonNull(mapper, "mapper"));
    return new DistributedIntStream(plan);
  }

  @Override
  public DoubleCacheStream mapToDouble(LongToDoubleFunction mapper) {
    plan.add(Step.Kind.MAP_TO_DOUBLE, Objects.requireNonNull(mapper, "mapper"));
    return new DistributedDoubleStream(plan);
  }

  @Override
  public LongCacheStream flatMap(LongFunction<? extends LongStream> mapper) {
    plan.add(Step.Kind.FLAT_MAP, Objects.requireNonNull(mapper, "mapper"));
    return new DistributedLongStream(plan);
  }

  @Override
  public LongCacheStream mapMulti(LongMapMultiConsumer mapper) {
    plan.add(Step.Kind.MAP_MULTI, Objects.requireNonNull(mapper, "mapper"));
    return new DistributedLongStream(plan);
  }

  @Override
  public LongCacheStream peek(LongConsumer action) {
    plan.add(Step.Kind.PEEK, Objects.requireNonNull(action, "action"));
    return new DistributedLongStream(plan);
  }

  @Override
  public LongCacheStream takeWhile(LongPredicate predicate) {
    plan.add(Step.Kind.TAKE_WHILE, Objects.requireNonNull(predicate, "predicate"));
    return new DistributedLongStream(plan);
  }

  @Override
  public LongCacheStream dropWhile(LongPredicate predicate) {
    plan.add(Step.Kind.DROP_WHILE, Objects.requireNonNull(predicate, "predicate"));
    return new DistributedLongStream(plan);
  }

  @Override
  public DoubleCacheStream asDoubleStream() {
    plan.add(Step.Kind.AS_DOUBLE, null);
    return new DistributedDoubleStream(plan);
  }

  @Override
  public CacheStream<Long> boxed() {
    plan.add(Step.Kind.BOXED, null);
    return new DistributedStream<>(plan);
  }

  // ---- terminals

  /** Count, sum, minimum and maximum. */
  private long[] summary() {
    return (long[]) plan.evaluate(Terminal.of(Terminal.Kind.SUMMARY));
  }

  @Override
  public long sum() {
    return summary()[1];
  }

  @Override
  public OptionalLong min() {
    long[] summary = summary();
    return summary[0] == 0 ? OptionalLong.empty() : OptionalLong.of(summary[2]);
  }

  @Override
  public OptionalLong max() {
    long[] summary = summary();
    return summary[0] == 0 ? OptionalLong.empty() : OptionalLong.of(summary[3]);
  }

  @Override
  public OptionalDouble average() {
    long[] summary = summary();
    return summary[0] == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((double) summary[1] / summary[0]);
  }

  @Override
  public LongSummaryStatistics summaryStatistics() {
    long[] summary = summary();
    return summary[0] == 0
        ? new LongSummaryStatistics()
        : new LongSummaryStatistics(summary[0], summary[2], summary[3], summary[1]);
  }

  @Override
  public void forEach(LongConsumer action) {
    boxed().forEach(StreamFunctions.boxed(Objects.requireNonNull(action, "action")));
  }

  @Override
  public long reduce(long identity, LongBinaryOperator operator) {
    return boxed()
        .reduce(identity, StreamFunctions.boxed(Objects.requireNonNull(operator, "operator")));
  }

  @Override
  public OptionalLong reduce(LongBinaryOperator operator) {
    return unboxed(
        boxed().reduce(StreamFunctions.boxed(Objects.requireNonNull(operator, "operator"))));
  }

  private static OptionalLong unboxed(Optional<Long> found) {
    return found.isPresent() ? OptionalLong.of(found.get()) : OptionalLong.empty();
  }

  @Override
  public <R> R collect(
      Supplier<R> supplier, ObjLongConsumer<R> accumulator, BiConsumer<R, R> combiner) {
    return boxed()
        .collect(
            supplier,
            StreamFunctions.boxed(Objects.requireNonNull(accumulator, "accumulator")),
            combiner);
  }

  @Override
  public boolean anyMatch(LongPredicate predicate) {
    return boxed().anyMatch(StreamFunctions.boxed(Objects.requireNonNull(predicate, "predicate")));
  }

  @Override
  public boolean allMatch(LongPredicate predicate) {
    return boxed().allMatch(StreamFunctions.boxed(Objects.requireNonNull(predicate, "predicate")));
  }

  @Override
  public boolean noneMatch(LongPredicate predicate) {
    return !anyMatch(predicate);
  }

  @Override
  public OptionalLong findFirst() {
    return findAny();
  }

  @Override
  public OptionalLong findAny() {
    return unboxed(boxed().findAny());
  }

  private LongStream elements() {
    return (LongStream) plan.elements();
  }

  @Override
  public void forEachOrdered(LongConsumer action) {
    try (LongCacheStream closed = this) {
      elements().forEachOrdered(action);
    }
  }

  @Override
  public long[] toArray() {
    try (LongCacheStream closed = this) {
      return elements().toArray();
    }
  }

  @Override
  public PrimitiveIterator.OfLong iterator() {
    return elements().iterator();
  }

  @Override
  public Spliterator.OfLong spliterator() {
    return elements().spliterator();
  }
}
