package dev.isogrid.stream;

import dev.isogrid.api.function.SerializableBiConsumer;
import dev.isogrid.api.function.SerializableBinaryOperator;
import dev.isogrid.api.function.SerializableConsumer;
import dev.isogrid.api.function.SerializablePredicate;
import dev.isogrid.api.function.SerializableSupplier;
import java.util.Comparator;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleConsumer;
import java.util.function.DoublePredicate;
import java.util.function.IntBinaryOperator;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.function.LongBinaryOperator;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.function.ObjDoubleConsumer;
import java.util.function.ObjIntConsumer;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Functions made of users' functions, which are serializable if those are. */
@SuppressWarnings("overloads") // called with typed arguments only
final class StreamFunctions {
  private StreamFunctions() {}

  /** Returns a fixed value. */
  record Given<T>(T value) implements SerializableSupplier<T> {
    private static final long serialVersionUID = 1;

    @Override
    public T get() {
      return value;
    }
  }

  static <T extends @Nullable Object> SerializableBinaryOperator<T> least(
      Comparator<? super T> comparator) {
    return (a, b) -> comparator.compare(a, b) <= 0 ? a : b;
  }

  static <T extends @Nullable Object> SerializableBinaryOperator<T> greatest(
      Comparator<? super T> comparator) {
    return (a, b) -> comparator.compare(a, b) >= 0 ? a : b;
  }

  static <T extends @Nullable Object> SerializablePredicate<T> not(Predicate<? super T> predicate) {
    return element -> !predicate.test(element);
  }

  static SerializableBinaryOperator<Integer> boxed(IntBinaryOperator operator) {
    return (a, b) -> operator.applyAsInt(a, b);
  }

  static SerializablePredicate<Integer> boxed(IntPredicate predicate) {
    return element -> predicate.test(element);
  }

  static SerializableConsumer<Integer> boxed(IntConsumer action) {
    return element -> action.accept(element);
  }

  static <R> SerializableBiConsumer<R, Integer> boxed(ObjIntConsumer<R> accumulator) {
    return (result, element) -> accumulator.accept(result, element);
  }

  static SerializableBinaryOperator<Long> boxed(LongBinaryOperator operator) {
    return (a, b) -> operator.applyAsLong(a, b);
  }

  static SerializablePredicate<Long> boxed(LongPredicate predicate) {
    return element -> predicate.test(element);
  }

  static SerializableConsumer<Long> boxed(LongConsumer action) {
    return element -> action.accept(element);
  }

  static <R> SerializableBiConsumer<R, Long> boxed(ObjLongConsumer<R> accumulator) {
    return (result, element) -> accumulator.accept(result, element);
  }

  static SerializableBinaryOperator<Double> boxed(DoubleBinaryOperator operator) {
    return (a, b) -> operator.applyAsDouble(a, b);
  }

  static SerializablePredicate<Double> boxed(DoublePredicate predicate) {
    return element -> predicate.test(element);
  }

  static SerializableConsumer<Double> boxed(DoubleConsumer action) {
    return element -> action.accept(element);
  }

  static <R> SerializableBiConsumer<R, Double> boxed(ObjDoubleConsumer<R> accumulator) {
    return (result, element) -> accumulator.accept(result, element);
  }
}
