package dev.isogrid.stream;

import dev.isogrid.api.CacheStream;
import dev.isogrid.api.DoubleCacheStream;
import dev.isogrid.api.IntCacheStream;
import dev.isogrid.api.LongCacheStream;
import java.util.DoubleSummaryStatistics;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.PrimitiveIterator;
import java.util.Spliterator;
import java.util.function.BiConsumer;
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
import org.jspecify.annotations.NullUnmarked;

/** The stream of primitive {@code double} over a {@link StreamPlan}. For one thread. */
@NullUnmarked // as with any stream
@SuppressWarnings({"unchecked", "overloads", "try"}) // the plan's elements are what its steps say
final class DistributedDoubleStream extends ControlledStream<DoubleCacheStream>
    implements DoubleCacheStream {
  DistributedDoubleStream(StreamPlan<?, ?, ?, ?> plan) {
    super(plan);
  }

  @Override
  DoubleCacheStream next() {
    return new DistributedDoubleStream(plan);
  }

  @Override
  public DoubleCacheStream filter(DoublePredicate predicate) {
    plan.add(Step.Kind.FILTER, Objects.requireNonNull(predicate, "predicate"));
    return new DistributedDoubleStream(plan);
  }

  @Override
  public DoubleCacheStream map(DoubleUnaryOperator mapper) {
    plan.add(Step.Kind.MAP, Objects.requireNonNull(mapper, "mapper"));
    return new DistributedDoubleStream(plan);
  }

  @Override
  public <U> CacheStream<U> mapToObj(DoubleFunction<? extends U> mapper) {
    plan.add(Step.Kind.MAP_TO_OBJECT, Objects.requireNonNull(mapper, "mapper"));
    return new DistributedStream<>(plan);
  }

  @Override
  public IntCacheStream mapToInt(DoubleToIntFunction mapper) {
    plan.add(Step.Kind.MAP_TO_INT, Objects.requireNonNull(mapper, "mapper"));
    return new DistributedIntStream(plan);
  }

  @Override
  public LongCacheStream mapToLong(DoubleToLongFunction mapper) {
    plan.add(Step.Kind.MAP_TO_LONG, Objects.requireNonNull(mapper, "mapper"));
    return new DistributedLongStream(plan);
  }

  @Override
  public DoubleCacheStream flatMap(DoubleFunction<? extends DoubleStream> mapper) {
    plan.add(Step.Kind.FLAT_MAP, Objects.requireNonNull(mapper, "mapper"));
    return new DistributedDoubleStream(plan);
  }

  @Override
  public DoubleCacheStream mapMulti(DoubleMapMultiConsumer mapper) {
    plan.add(Step.Kind.MAP_MULTI, Objects.requireNonNull(mapper, "mapper"));
    return new DistributedDoubleStream(plan);
  }

  @Override
  public DoubleCacheStream peek(DoubleConsumer action) {
    plan.add(Step.Kind.PEEK, Objects.requireNonNull(action, "action"));
    return new DistributedDoubleStream(plan);
  }

  @Override
  public DoubleCacheStream takeWhile(DoublePredicate predicate) {
    plan.add(Step.Kind.TAKE_WHILE, Objects.requireNonNull(predicate, "predicate"));
    return new DistributedDoubleStream(plan);
  }

  @Override
  public DoubleCacheStream dropWhile(DoublePredicate predicate) {
    plan.add(Step.Kind.DROP_WHILE, Objects.requireNonNull(predicate, "predicate"));
    return new DistributedDoubleStream(plan);
  }

  @Override
  public CacheStream<Double> boxed() {
    plan.add(Step.Kind.BOXED, null);
    return new DistributedStream<>(plan);
  }

  // ---- terminals

  /** Count, sum, minimum and maximum. */
  private double[] summary() {
    return (double[]) plan.evaluate(Terminal.of(Terminal.Kind.SUMMARY));
  }

  @Override
  public double sum() {
    return summary()[1];
  }

  @Override
  public OptionalDouble min() {
    double[] summary = summary();
    return summary[0] == 0 ? OptionalDouble.empty() : OptionalDouble.of(summary[2]);
  }

  @Override
  public OptionalDouble max() {
    double[] summary = summary();
    return summary[0] == 0 ? OptionalDouble.empty() : OptionalDouble.of(summary[3]);
  }

  @Override
  public OptionalDouble average() {
    double[] summary = summary();
    return summary[0] == 0 ? OptionalDouble.empty() : OptionalDouble.of(summary[1] / summary[0]);
  }

  @Override
  public DoubleSummaryStatistics summaryStatistics() {
    double[] summary = summary();
    return summary[0] == 0
        ? new DoubleSummaryStatistics()
        : new DoubleSummaryStatistics((long) summary[0], summary[2], summary[3], summary[1]);
  }

  @Override
  public void forEach(DoubleConsumer action) {
    boxed().forEach(StreamFunctions.boxed(Objects.requireNonNull(action, "action")));
  }

  @Override
  public double reduce(double identity, DoubleBinaryOperator operator) {
    return boxed()
        .reduce(identity, StreamFunctions.boxed(Objects.requireNonNull(operator, "operator")));
  }

  @Override
  public OptionalDouble reduce(DoubleBinaryOperator operator) {
    return unboxed(
        boxed().reduce(StreamFunctions.boxed(Objects.requireNonNull(operator, "operator"))));
  }

  private static OptionalDouble unboxed(Optional<Double> found) {
    return found.isPresent() ? OptionalDouble.of(found.get()) : OptionalDouble.empty();
  }

  @Override
  public <R> R collect(
      Supplier<R> supplier, ObjDoubleConsumer<R> accumulator, BiConsumer<R, R> combiner) {
    return boxed()
        .collect(
            supplier,
            StreamFunctions.boxed(Objects.requireNonNull(accumulator, "accumulator")),
            combiner);
  }

  @Override
  public boolean anyMatch(DoublePredicate predicate) {
    return boxed().anyMatch(StreamFunctions.boxed(Objects.requireNonNull(predicate, "predicate")));
  }

  @Override
  public boolean allMatch(DoublePredicate predicate) {
    return boxed().allMatch(StreamFunctions.boxed(Objects.requireNonNull(predicate, "predicate")));
  }

  @Override
  public boolean noneMatch(DoublePredicate predicate) {
    return !anyMatch(predicate);
  }

  @Override
  public OptionalDouble findFirst() {
    return findAny();
  }

  @Override
  public OptionalDouble findAny() {
    return unboxed(boxed().findAny());
  }

  private DoubleStream elements() {
    return (DoubleStream) plan.elements();
  }

  @Override
  public void forEachOrdered(DoubleConsumer action) {
    try (DoubleCacheStream closed = this) {
      elements().forEachOrdered(action);
    }
  }

  @Override
  public double[] toArray() {
    try (DoubleCacheStream closed = this) {
      return elements().toArray();
    }
  }

  @Override
  public PrimitiveIterator.OfDouble iterator() {
    return elements().iterator();
  }

  @Override
  public Spliterator.OfDouble spliterator() {
    return elements().spliterator();
  }
}
