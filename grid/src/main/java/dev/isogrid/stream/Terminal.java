package dev.isogrid.stream;

import dev.isogrid.api.Cache;
import java.io.Serializable;
import java.util.DoubleSummaryStatistics;
import java.util.IntSummaryStatistics;
import java.util.LongSummaryStatistics;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import java.util.stream.Collector;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/**
 * A serializable terminal operation of a stream: it makes a result of a part of the elements, and
 * merges two results.
 *
 * @param kind the operation
 * @param first the first argument, a function or a value
 * @param second the second argument
 * @param third the third argument
 */
@NullUnmarked // the functions are of users, and of any kind
record Terminal(Kind kind, @Nullable Object first, @Nullable Object second, @Nullable Object third)
    implements Serializable {
  private static final long serialVersionUID = 1;

  /** The operation of a terminal, with its arguments. */
  enum Kind {
    /** A value, a function that adds an element, and one that merges. */
    REDUCE(false),
    /** A function of two elements. */
    REDUCE_OPTIONAL(true),
    /** A supplier, a function that adds an element, and one that merges. */
    COLLECT(false),
    /** A supplier of a collector. */
    COLLECTOR(false),
    COUNT(false),
    /** A predicate. */
    ANY_MATCH(false),
    FIND(true),
    /** A consumer. */
    FOR_EACH(false),
    /** A function of the cache and an element. */
    FOR_EACH_WITH_CACHE(false),
    /** Count, sum, minimum and maximum of primitives. */
    SUMMARY(false);

    /** Whether the result is an element. */
    final boolean keepsElements;

    Kind(boolean keepsElements) {
      this.keepsElements = keepsElements;
    }
  }

  /** A result that may be null, for terminals that may have none. */
  record Found(@Nullable Object value) implements Serializable {
    private static final long serialVersionUID = 1;
  }

  static Terminal of(Kind kind) {
    return new Terminal(kind, null, null, null);
  }

  static Terminal of(Kind kind, Object function) {
    return new Terminal(kind, function, null, null);
  }

  /** Whether it ignores values, if the stream has no steps. */
  boolean onlyCounts() {
    return kind == Kind.COUNT;
  }

  /** Whether the size of a result may be in proportion to its elements. */
  boolean mayGrow() {
    return kind == Kind.COLLECT || kind == Kind.COLLECTOR;
  }

  /** The result for a part, for merging with another part's result. */
  @SuppressWarnings("unchecked") // the types were checked where this was made
  @Nullable Object apply(BaseStream<?, ?> stream, Supplier<? extends Cache<?, ?>> cache) {
    return switch (kind) {
      case REDUCE ->
          Step.objects(stream)
              .reduce(
                  first,
                  (BiFunction<Object, Object, Object>) second,
                  (BinaryOperator<Object>) third);
      case REDUCE_OPTIONAL ->
          Step.objects(stream).reduce((BinaryOperator<Object>) first).map(Found::new).orElse(null);
      case COLLECT ->
          Step.objects(stream)
              .collect(
                  (Supplier<Object>) first,
                  (BiConsumer<Object, Object>) second,
                  (BiConsumer<Object, Object>) third);
      case COLLECTOR -> Step.objects(stream).collect(unfinished(collector()));
      case COUNT -> count(stream);
      case ANY_MATCH -> Step.objects(stream).anyMatch((Predicate<Object>) first);
      case FIND -> Step.objects(stream).findFirst().map(Found::new).orElse(null);
      case FOR_EACH -> {
        Step.objects(stream).forEach((Consumer<Object>) first);
        yield null;
      }
      case FOR_EACH_WITH_CACHE -> {
        Cache<?, ?> user = cache.get();
        BiConsumer<Object, Object> action = (BiConsumer<Object, Object>) first;
        Step.objects(stream).forEach(element -> action.accept(user, element));
        yield null;
      }
      case SUMMARY -> summary(stream);
    };
  }

  /** Counts by visiting each element, so that steps with side effects have them. */
  private static long count(BaseStream<?, ?> stream) {
    return switch (stream) {
      case IntStream ints -> ints.mapToLong(_ -> 1).sum();
      case LongStream longs -> longs.map(_ -> 1).sum();
      case DoubleStream doubles -> doubles.mapToLong(_ -> 1).sum();
      default -> Step.objects(stream).mapToLong(_ -> 1).sum();
    };
  }

  private static Object summary(BaseStream<?, ?> stream) {
    return switch (stream) {
      case IntStream ints -> {
        IntSummaryStatistics s = ints.summaryStatistics();
        yield new long[] {s.getCount(), s.getSum(), s.getMin(), s.getMax()};
      }
      case LongStream longs -> {
        LongSummaryStatistics s = longs.summaryStatistics();
        yield new long[] {s.getCount(), s.getSum(), s.getMin(), s.getMax()};
      }
      case DoubleStream doubles -> {
        DoubleSummaryStatistics s = doubles.summaryStatistics();
        yield new double[] {s.getCount(), s.getSum(), s.getMin(), s.getMax()};
      }
      default -> throw new IllegalStateException("no summary of objects");
    };
  }

  @SuppressWarnings("unchecked") // as it was given
  Collector<Object, Object, Object> collector() {
    return ((Supplier<Collector<Object, Object, Object>>) first).get();
  }

  private static Collector<Object, Object, Object> unfinished(
      Collector<Object, Object, Object> collector) {
    return Collector.of(
        collector.supplier(), collector.accumulator(), collector.combiner(), result -> result);
  }

  /** Merges two parts' results; may change either of them. */
  @SuppressWarnings("unchecked") // the types were checked where this was made
  @Nullable Object merge(@Nullable Object one, @Nullable Object other) {
    return switch (kind) {
      case REDUCE -> ((BinaryOperator<Object>) third).apply(one, other);
      case REDUCE_OPTIONAL ->
          one instanceof Found(Object a) && other instanceof Found(Object b)
              ? new Found(((BinaryOperator<Object>) first).apply(a, b))
              : one == null ? other : one;
      case COLLECT -> {
        ((BiConsumer<Object, Object>) third).accept(one, other);
        yield one;
      }
      case COLLECTOR -> collector().combiner().apply(one, other);
      case COUNT -> (Long) one + (Long) other;
      case ANY_MATCH -> (Boolean) one || (Boolean) other;
      case FIND -> one == null ? other : one;
      case FOR_EACH, FOR_EACH_WITH_CACHE -> null;
      case SUMMARY ->
          one instanceof long[] a
              ? merged(a, (long[]) other)
              : merged((double[]) one, (double[]) other);
    };
  }

  private static long[] merged(long[] a, long[] b) {
    return new long[] {a[0] + b[0], a[1] + b[1], Math.min(a[2], b[2]), Math.max(a[3], b[3])};
  }

  private static double[] merged(double[] a, double[] b) {
    return new double[] {a[0] + b[0], a[1] + b[1], Math.min(a[2], b[2]), Math.max(a[3], b[3])};
  }

  /** Whether no other part can change a result. */
  boolean isEnough(@Nullable Object result) {
    return switch (kind) {
      case ANY_MATCH -> Boolean.TRUE.equals(result);
      case FIND -> result != null;
      default -> false;
    };
  }
}
