package dev.isogrid.stream;

import java.io.Serializable;
import java.util.Comparator;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleFunction;
import java.util.function.DoublePredicate;
import java.util.function.DoubleToIntFunction;
import java.util.function.DoubleToLongFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.LongToDoubleFunction;
import java.util.function.LongToIntFunction;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.BaseStream;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/**
 * A serializable intermediate operation of a stream. Immutable if the user's function is.
 *
 * @param kind the operation
 * @param argument the user's function, or a number; null if there is none
 */
@NullUnmarked // the functions are of users, and of any kind
record Step(Kind kind, @Nullable Object argument) implements Serializable {
  private static final long serialVersionUID = 1;

  /** The operation of a step; the same for streams of objects and of primitives. */
  enum Kind {
    FILTER(true, false),
    PEEK(true, false),
    UNORDERED(true, false),
    MAP(false, false),
    MAP_TO_OBJECT(false, false),
    MAP_TO_INT(false, false),
    MAP_TO_LONG(false, false),
    MAP_TO_DOUBLE(false, false),
    FLAT_MAP(false, false),
    FLAT_MAP_TO_INT(false, false),
    FLAT_MAP_TO_LONG(false, false),
    FLAT_MAP_TO_DOUBLE(false, false),
    MAP_MULTI(false, false),
    AS_LONG(false, false),
    AS_DOUBLE(false, false),
    BOXED(false, false),
    DISTINCT(true, true),
    SORTED(true, true),
    LIMIT(true, true),
    SKIP(true, true),
    TAKE_WHILE(true, true),
    DROP_WHILE(true, true);

    /** Whether its result is a part of its input. */
    final boolean keepsElements;

    /** Whether it depends on more than one element. */
    final boolean isGlobal;

    Kind(boolean keepsElements, boolean isGlobal) {
      this.keepsElements = keepsElements;
      this.isGlobal = isGlobal;
    }
  }

  /** Appends this step to a local stream. */
  BaseStream<?, ?> apply(BaseStream<?, ?> before) {
    return switch (before) {
      case IntStream stream -> onInts(stream);
      case LongStream stream -> onLongs(stream);
      case DoubleStream stream -> onDoubles(stream);
      default -> onObjects(objects(before));
    };
  }

  @SuppressWarnings("unchecked") // the one kind that is left
  static Stream<Object> objects(BaseStream<?, ?> stream) {
    return (Stream<Object>) stream;
  }

  private long number() {
    return (Long) argument;
  }

  @SuppressWarnings("unchecked") // the types were checked where the step was made
  private BaseStream<?, ?> onObjects(Stream<Object> s) {
    Object a = argument;
    return switch (kind) {
      case FILTER -> s.filter((Predicate<Object>) a);
      case PEEK -> s.peek((Consumer<Object>) a);
      case UNORDERED -> s.unordered();
      case MAP -> s.map((Function<Object, Object>) a);
      case MAP_TO_INT -> s.mapToInt((ToIntFunction<Object>) a);
      case MAP_TO_LONG -> s.mapToLong((ToLongFunction<Object>) a);
      case MAP_TO_DOUBLE -> s.mapToDouble((ToDoubleFunction<Object>) a);
      case FLAT_MAP -> s.flatMap((Function<Object, Stream<Object>>) a);
      case FLAT_MAP_TO_INT -> s.flatMapToInt((Function<Object, IntStream>) a);
      case FLAT_MAP_TO_LONG -> s.flatMapToLong((Function<Object, LongStream>) a);
      case FLAT_MAP_TO_DOUBLE -> s.flatMapToDouble((Function<Object, DoubleStream>) a);
      case MAP_MULTI -> s.mapMulti((BiConsumer<Object, Consumer<Object>>) a);
      case DISTINCT -> s.distinct();
      case SORTED -> a == null ? s.sorted() : s.sorted((Comparator<Object>) a);
      case LIMIT -> s.limit(number());
      case SKIP -> s.skip(number());
      case TAKE_WHILE -> s.takeWhile((Predicate<Object>) a);
      case DROP_WHILE -> s.dropWhile((Predicate<Object>) a);
      case MAP_TO_OBJECT, AS_LONG, AS_DOUBLE, BOXED -> throw misplaced();
    };
  }

  @SuppressWarnings("unchecked") // the types were checked where the step was made
  private BaseStream<?, ?> onInts(IntStream s) {
    Object a = argument;
    return switch (kind) {
      case FILTER -> s.filter((IntPredicate) a);
      case PEEK -> s.peek((IntConsumer) a);
      case UNORDERED -> s.unordered();
      case MAP -> s.map((IntUnaryOperator) a);
      case MAP_TO_OBJECT -> s.mapToObj((IntFunction<Object>) a);
      case MAP_TO_LONG -> s.mapToLong((IntToLongFunction) a);
      case MAP_TO_DOUBLE -> s.mapToDouble((IntToDoubleFunction) a);
      case FLAT_MAP -> s.flatMap((IntFunction<IntStream>) a);
      case MAP_MULTI -> s.mapMulti((IntStream.IntMapMultiConsumer) a);
      case AS_LONG -> s.asLongStream();
      case AS_DOUBLE -> s.asDoubleStream();
      case BOXED -> s.boxed();
      case DISTINCT -> s.distinct();
      case SORTED -> s.sorted();
      case LIMIT -> s.limit(number());
      case SKIP -> s.skip(number());
      case TAKE_WHILE -> s.takeWhile((IntPredicate) a);
      case DROP_WHILE -> s.dropWhile((IntPredicate) a);
      case MAP_TO_INT, FLAT_MAP_TO_INT, FLAT_MAP_TO_LONG, FLAT_MAP_TO_DOUBLE -> throw misplaced();
    };
  }

  @SuppressWarnings("unchecked") // the types were checked where the step was made
  private BaseStream<?, ?> onLongs(LongStream s) {
    Object a = argument;
    return switch (kind) {
      case FILTER -> s.filter((LongPredicate) a);
      case PEEK -> s.peek((LongConsumer) a);
      case UNORDERED -> s.unordered();
      case MAP -> s.map((LongUnaryOperator) a);
      case MAP_TO_OBJECT -> s.mapToObj((LongFunction<Object>) a);
      case MAP_TO_INT -> s.mapToInt((LongToIntFunction) a);
      case MAP_TO_DOUBLE -> s.mapToDouble((LongToDoubleFunction) a);
      case FLAT_MAP -> s.flatMap((LongFunction<LongStream>) a);
      case MAP_MULTI -> s.mapMulti((LongStream.LongMapMultiConsumer) a);
      case AS_DOUBLE -> s.asDoubleStream();
      case BOXED -> s.boxed();
      case DISTINCT -> s.distinct();
      case SORTED -> s.sorted();
      case LIMIT -> s.limit(number());
      case SKIP -> s.skip(number());
      case TAKE_WHILE -> s.takeWhile((LongPredicate) a);
      case DROP_WHILE -> s.dropWhile((LongPredicate) a);
      case MAP_TO_LONG, AS_LONG, FLAT_MAP_TO_INT, FLAT_MAP_TO_LONG, FLAT_MAP_TO_DOUBLE ->
          throw misplaced();
    };
  }

  @SuppressWarnings("unchecked") // the types were checked where the step was made
  private BaseStream<?, ?> onDoubles(DoubleStream s) {
    Object a = argument;
    return switch (kind) {
      case FILTER -> s.filter((DoublePredicate) a);
      case PEEK -> s.peek((DoubleConsumer) a);
      case UNORDERED -> s.unordered();
      case MAP -> s.map((DoubleUnaryOperator) a);
      case MAP_TO_OBJECT -> s.mapToObj((DoubleFunction<Object>) a);
      case MAP_TO_INT -> s.mapToInt((DoubleToIntFunction) a);
      case MAP_TO_LONG -> s.mapToLong((DoubleToLongFunction) a);
      case FLAT_MAP -> s.flatMap((DoubleFunction<DoubleStream>) a);
      case MAP_MULTI -> s.mapMulti((DoubleStream.DoubleMapMultiConsumer) a);
      case BOXED -> s.boxed();
      case DISTINCT -> s.distinct();
      case SORTED -> s.sorted();
      case LIMIT -> s.limit(number());
      case SKIP -> s.skip(number());
      case TAKE_WHILE -> s.takeWhile((DoublePredicate) a);
      case DROP_WHILE -> s.dropWhile((DoublePredicate) a);
      case MAP_TO_DOUBLE,
          AS_LONG,
          AS_DOUBLE,
          FLAT_MAP_TO_INT,
          FLAT_MAP_TO_LONG,
          FLAT_MAP_TO_DOUBLE ->
          throw misplaced();
    };
  }

  private IllegalStateException misplaced() {
    return new IllegalStateException("no such step on this kind of stream: step=" + kind);
  }
}
