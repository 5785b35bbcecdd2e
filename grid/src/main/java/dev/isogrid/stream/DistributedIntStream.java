package dev.isogrid.stream;

import dev.isogrid.api.CacheStream;
import dev.isogrid.api.DoubleCacheStream;
import dev.isogrid.api.IntCacheStream;
import dev.isogrid.api.LongCacheStream;
import java.util.IntSummaryStatistics;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.PrimitiveIterator;
import java.util.Spliterator;
import java.util.function.BiConsumer;
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
import org.jspecify.annotations.NullUnmarked;

/** The stream of primitive {@code int} over a {@link StreamPlan}. For one thread. */
@NullUnmarked // as with any stream
@SuppressWarnings({"unchecked", "overloads", "try"}) // the plan's elements are what its steps say
final class DistributedIntStream extends ControlledStream<IntCacheStream>
    implements IntCacheStream {
  DistributedIntStream(StreamPlan<?, ?, ?, ?> plan) {
    super(plan);
  }

  @Override
  IntCacheStream next() {
    return new DistributedIntStream(plan);
  }

  @Override
  public IntCacheStream filter(IntPredicate predicate) {
    plan.add(Step.Kind.FILTER, Objects.requireNonNull(predicate, "predicate"));
    return new DistributedIntStream(plan);
  }

  @Override
  public IntCacheStream map(IntUnaryOperator mapper) {
    plan.add(Step.Kind.MAP, Objects.requireNonNull(mapper, "mapper"));
    return new DistributedIntStream(plan);
  }

  @Override
  public <U> CacheStream<U> mapToObj(IntFunction<? extends U> mapper) {
    plan.add(Step.Kind.MAP_TO_OBJECT, Objects.requireNonNull(mapper, "mapper"));
    return new DistributedStream<>(plan);
  }

  @Override
  public LongCacheStream mapToLong(IntToLongFunction mapper) {
    plan.add(Step.Kind.MAP_TO_LONG, Objects.requireNonNull(mapper, "mapper"));
    return new DistributedLongStream(plan);
  }

  @Override
  public DoubleCacheStream mapToDouble(IntToDoubleFunction mapper) {
    plan.add(Step.Kind.MAP_TO_DOUBLE, Objects.requireNonNull(mapper, "mapper"));
    return new DistributedDoubleStream(plan);
  }

  @Override
  public IntCacheStream flatMap(IntFunction<? extends IntStream> mapper) {
    plan.add(Step.Kind.FLAT_MAP, Objects.requireNonNull(mapper, "mapper"));
    return new DistributedIntStream(plan);
  }

  @Override
  public IntCacheStream mapMulti(IntMapMultiConsumer mapper) {
    plan.add(Step.Kind.MAP_MULTI, Objects.requireNonNull(mapper, "mapper"));
    return new DistributedIntStream(plan);
  }

  @Override
  public IntCacheStream peek(IntConsumer action) {
    plan.add(Step.Kind.PEEK, Objects.requireNonNull(action, "action"));
    return new DistributedIntStream(plan);
  }

  @Override
  public IntCacheStream takeWhile(IntPredicate predicate) {
    plan.add(Step.Kind.TAKE_WHILE, Objects.requireNonNull(predicate, "predicate"));
    return new DistributedIntStream(plan);
  }

  @Override
  public IntCacheStream dropWhile(IntPredicate predicate) {
    plan.add(Step.Kind.DROP_WHILE, Objects.requireNonNull(predicate, "predicate"));
    return new DistributedIntStream(plan);
  }

  @Override
  public LongCacheStream asLongStream() {
    plan.add(Step.Kind.AS_LONG, null);
    return new DistributedLongStream(plan);
  }

  @Override
  public DoubleCacheStream asDoubleStream() {
    plan.add(Step.Kind.AS_DOUBLE, null);
    return new DistributedDoubleStream(plan);
  }

  @Override
  public CacheStream<Integer> boxed() {
    plan.add(Step.Kind.BOXED, null);
    return new DistributedStream<>(plan);
  }

  // ---- terminals

  /** Count, sum, minimum and maximum. */
  private long[] summary() {
    return (long[]) plan.evaluate(Terminal.of(Terminal.Kind.SUMMARY));
  }

  @Override
  public int sum() {
    return (int) summary()[1];
  }

  @Override
  public OptionalInt min() {
    long[] summary = summary();
    return summary[0] == 0 ? OptionalInt.empty() : OptionalInt.of((int) summary[2]);
  }

  @Override
  public OptionalInt max() {
    long[] summary = summary();
    return summary[0] == 0 ? OptionalInt.empty() : OptionalInt.of((int) summary[3]);
  }

  @Override
  public OptionalDouble average() {
    long[] summary = summary();
    return summary[0] == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((double) summary[1] / summary[0]);
  }

  @Override
  public IntSummaryStatistics summaryStatistics() {
    long[] summary = summary();
    return summary[0] == 0
        ? new IntSummaryStatistics()
        : new IntSummaryStatistics(summary[0], (int) summary[2], (int) summary[3], summary[1]);
  }

  @Override
  public void forEach(IntConsumer action) {
    boxed().forEach(StreamFunctions.boxed(Objects.requireNonNull(action, "action")));
  }

  @Override
  public int reduce(int identity, IntBinaryOperator operator) {
    return boxed()
        .reduce(identity, StreamFunctions.boxed(Objects.requireNonNull(operator, "operator")));
  }

  @Override
  public OptionalInt reduce(IntBinaryOperator operator) {
    return unboxed(
        boxed().reduce(StreamFunctions.boxed(Objects.requireNonNull(operator, "operator"))));
  }

  private static OptionalInt unboxed(Optional<Integer> found) {
    return found.isPresent() ? OptionalInt.of(found.get()) : OptionalInt.empty();
  }

  @Override
  public <R> R collect(
      Supplier<R> supplier, ObjIntConsumer<R> accumulator, BiConsumer<R, R> combiner) {
    return boxed()
        .collect(
            supplier,
            StreamFunctions.boxed(Objects.requireNonNull(accumulator, "accumulator")),
            combiner);
  }

  @Override
  public boolean anyMatch(IntPredicate predicate) {
    return boxed().anyMatch(StreamFunctions.boxed(Objects.requireNonNull(predicate, "predicate")));
  }

  @Override
  public boolean allMatch(IntPredicate predicate) {
    return boxed().allMatch(StreamFunctions.boxed(Objects.requireNonNull(predicate, "predicate")));
  }

  @Override
  public boolean noneMatch(IntPredicate predicate) {
    return !anyMatch(predicate);
  }

  @Override
  public OptionalInt findFirst() {
    return findAny();
  }

  @Override
  public OptionalInt findAny() {
    return unboxed(boxed().findAny());
  }

  private IntStream elements() {
    return (IntStream) plan.elements();
  }

  @Override
  public void forEachOrdered(IntConsumer action) {
    try (IntCacheStream closed = this) {
      elements().forEachOrdered(action);
    }
  }

  @Override
  public int[] toArray() {
    try (IntCacheStream closed = this) {
      return elements().toArray();
    }
  }

  @Override
  public PrimitiveIterator.OfInt iterator() {
    return elements().iterator();
  }

  @Override
  public Spliterator.OfInt spliterator() {
    return elements().spliterator();
  }
}
