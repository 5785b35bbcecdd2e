package dev.isogrid.stream;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheStream;
import dev.isogrid.api.DoubleCacheStream;
import dev.isogrid.api.IntCacheStream;
import dev.isogrid.api.LongCacheStream;
import dev.isogrid.api.function.SerializableBiConsumer;
import dev.isogrid.api.function.SerializableSupplier;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Spliterator;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
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
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/**
 * The stream of objects over a {@link StreamPlan}. For one thread.
 *
 * @param <T> the type of the elements
 */
@NullUnmarked // what users' functions give may be null, as with any stream
@SuppressWarnings({"unchecked", "overloads", "try"}) // the plan's elements are what its steps say
final class DistributedStream<T> extends ControlledStream<CacheStream<T>>
    implements CacheStream<T> {
  DistributedStream(StreamPlan<?, ?, ?, ?> plan) {
    super(plan);
  }

  @Override
  CacheStream<T> next() {
    return new DistributedStream<>(plan);
  }

  @Override
  public CacheStream<T> filter(Predicate<? super T> predicate) {
    plan.add(Step.Kind.FILTER, Objects.requireNonNull(predicate, "predicate"));
    return new DistributedStream<>(plan);
  }

  @Override
  public <R> CacheStream<R> map(Function<? super T, ? extends R> mapper) {
    plan.add(Step.Kind.MAP, Objects.requireNonNull(mapper, "mapper"));
    return new DistributedStream<>(plan);
  }

  @Override
  public IntCacheStream mapToInt(ToIntFunction<? super T> mapper) {
    plan.add(Step.Kind.MAP_TO_INT, Objects.requireNonNull(mapper, "mapper"));
    return new DistributedIntStream(plan);
  }

  @Override
  public LongCacheStream mapToLong(ToLongFunction<? super T> mapper) {
    plan.add(Step.Kind.MAP_TO_LONG, Objects.requireNonNull(mapper, "mapper"));
    return new DistributedLongStream(plan);
  }

  @Override
  public DoubleCacheStream mapToDouble(ToDoubleFunction<? super T> mapper) {
    plan.add(Step.Kind.MAP_TO_DOUBLE, Objects.requireNonNull(mapper, "mapper"));
    return new DistributedDoubleStream(plan);
  }

  @Override
  public <R> CacheStream<R> flatMap(Function<? super T, ? extends Stream<? extends R>> mapper) {
    plan.add(Step.Kind.FLAT_MAP, Objects.requireNonNull(mapper, "mapper"));
    return new DistributedStream<>(plan);
  }

  @Override
  public IntCacheStream flatMapToInt(Function<? super T, ? extends IntStream> mapper) {
    plan.add(Step.Kind.FLAT_MAP_TO_INT, Objects.requireNonNull(mapper, "mapper"));
    return new DistributedIntStream(plan);
  }

  @Override
  public LongCacheStream flatMapToLong(Function<? super T, ? extends LongStream> mapper) {
    plan.add(Step.Kind.FLAT_MAP_TO_LONG, Objects.requireNonNull(mapper, "mapper"));
    return new DistributedLongStream(plan);
  }

  @Override
  public DoubleCacheStream flatMapToDouble(Function<? super T, ? extends DoubleStream> mapper) {
    plan.add(Step.Kind.FLAT_MAP_TO_DOUBLE, Objects.requireNonNull(mapper, "mapper"));
    return new DistributedDoubleStream(plan);
  }

  @Override
  public <R> CacheStream<R> mapMulti(BiConsumer<? super T, ? super Consumer<R>> mapper) {
    plan.add(Step.Kind.MAP_MULTI, Objects.requireNonNull(mapper, "mapper"));
    return new DistributedStream<>(plan);
  }

  @Override
  public CacheStream<T> peek(Consumer<? super T> action) {
    plan.add(Step.Kind.PEEK, Objects.requireNonNull(action, "action"));
    return new DistributedStream<>(plan);
  }

  @Override
  public CacheStream<T> takeWhile(Predicate<? super T> predicate) {
    plan.add(Step.Kind.TAKE_WHILE, Objects.requireNonNull(predicate, "predicate"));
    return new DistributedStream<>(plan);
  }

  @Override
  public CacheStream<T> dropWhile(Predicate<? super T> predicate) {
    plan.add(Step.Kind.DROP_WHILE, Objects.requireNonNull(predicate, "predicate"));
    return new DistributedStream<>(plan);
  }

  @Override
  public CacheStream<T> sorted(Comparator<? super T> comparator) {
    plan.add(Step.Kind.SORTED, Objects.requireNonNull(comparator, "comparator"));
    return new DistributedStream<>(plan);
  }

  // ---- terminals

  private @Nullable Object evaluate(Terminal.Kind kind, Object function, String name) {
    return plan.evaluate(Terminal.of(kind, Objects.requireNonNull(function, name)));
  }

  @Override
  public void forEach(Consumer<? super T> action) {
    Object nothing = evaluate(Terminal.Kind.FOR_EACH, action, "action");
    assert nothing == null;
  }

  @Override
  public <K, V> void forEach(SerializableBiConsumer<Cache<K, V>, ? super T> action) {
    Object nothing = evaluate(Terminal.Kind.FOR_EACH_WITH_CACHE, action, "action");
    assert nothing == null;
  }

  /** Processes all elements on the caller's node; closed afterwards. */
  private <R> R local(Function<Stream<T>, R> use) {
    try (CacheStream<T> closed = this) {
      return use.apply(elements());
    }
  }

  private Stream<T> elements() {
    return (Stream<T>) plan.elements();
  }

  @Override
  public void forEachOrdered(Consumer<? super T> action) {
    try (CacheStream<T> closed = this) {
      elements().forEachOrdered(Objects.requireNonNull(action, "action"));
    }
  }

  @Override
  public Object[] toArray() {
    return local(Stream::toArray);
  }

  @Override
  public <A> A[] toArray(IntFunction<A[]> generator) {
    return this.<A[]>local(
        elements -> elements.toArray(Objects.requireNonNull(generator, "generator")));
  }

  @Override
  public List<T> toList() {
    return local(Stream::toList);
  }

  @Override
  public Iterator<T> iterator() {
    return elements().iterator();
  }

  @Override
  public Spliterator<T> spliterator() {
    return elements().spliterator();
  }

  @Override
  public T reduce(T identity, BinaryOperator<T> accumulator) {
    return reduce(identity, accumulator, accumulator);
  }

  @Override
  public Optional<T> reduce(BinaryOperator<T> accumulator) {
    return found(evaluate(Terminal.Kind.REDUCE_OPTIONAL, accumulator, "accumulator"));
  }

  private Optional<T> found(@Nullable Object result) {
    return result instanceof Terminal.Found(Object value)
        ? Optional.of((T) Objects.requireNonNull(value))
        : Optional.empty();
  }

  @Override
  public <U> U reduce(
      U identity, BiFunction<U, ? super T, U> accumulator, BinaryOperator<U> combiner) {
    Objects.requireNonNull(accumulator, "accumulator");
    Objects.requireNonNull(combiner, "combiner");
    return (U) plan.evaluate(new Terminal(Terminal.Kind.REDUCE, identity, accumulator, combiner));
  }

  @Override
  public <R> R collect(
      Supplier<R> supplier, BiConsumer<R, ? super T> accumulator, BiConsumer<R, R> combiner) {
    Objects.requireNonNull(supplier, "supplier");
    Objects.requireNonNull(accumulator, "accumulator");
    Objects.requireNonNull(combiner, "combiner");
    return (R) plan.evaluate(new Terminal(Terminal.Kind.COLLECT, supplier, accumulator, combiner));
  }

  @Override
  public <R, A> R collect(SerializableSupplier<Collector<? super T, A, R>> supplier) {
    return collect(Objects.requireNonNull(supplier, "supplier").get(), supplier);
  }

  @Override
  public <R, A> R collect(Collector<? super T, A, R> collector) {
    return collect(
        collector, new StreamFunctions.Given<>(Objects.requireNonNull(collector, "collector")));
  }

  private <R, A> R collect(Collector<? super T, A, R> finishing, Object supplier) {
    Object result = evaluate(Terminal.Kind.COLLECTOR, supplier, "supplier");
    return finishing.characteristics().contains(Collector.Characteristics.IDENTITY_FINISH)
        ? (R) result
        : finishing.finisher().apply((A) result);
  }

  @Override
  public Optional<T> min(Comparator<? super T> comparator) {
    return reduce(StreamFunctions.least(Objects.requireNonNull(comparator, "comparator")));
  }

  @Override
  public Optional<T> max(Comparator<? super T> comparator) {
    return reduce(StreamFunctions.greatest(Objects.requireNonNull(comparator, "comparator")));
  }

  @Override
  public boolean anyMatch(Predicate<? super T> predicate) {
    return (Boolean) evaluate(Terminal.Kind.ANY_MATCH, predicate, "predicate");
  }

  @Override
  public boolean allMatch(Predicate<? super T> predicate) {
    return !anyMatch(StreamFunctions.not(Objects.requireNonNull(predicate, "predicate")));
  }

  @Override
  public boolean noneMatch(Predicate<? super T> predicate) {
    return !anyMatch(predicate);
  }

  @Override
  public Optional<T> findFirst() {
    return findAny();
  }

  @Override
  public Optional<T> findAny() {
    return found(plan.evaluate(Terminal.of(Terminal.Kind.FIND)));
  }
}
