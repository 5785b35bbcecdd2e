package dev.isogrid.mapreduce;

import dev.isogrid.api.Combiner;
import dev.isogrid.api.EntryFilter;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.GridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.MapReduceException;
import dev.isogrid.api.MapReduceInput;
import dev.isogrid.api.MapReduceJob;
import dev.isogrid.api.MapReduceReport;
import dev.isogrid.api.MapReduceStats;
import dev.isogrid.api.MapReduceTask;
import dev.isogrid.api.Mapper;
import dev.isogrid.api.Reducer;
import dev.isogrid.base.Scheduler;
import dev.isogrid.codec.ByteString;
import dev.isogrid.codec.ShippedObject;
import dev.isogrid.wire.Segments;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A task that this node started. Thread-safe. */
final class Job<A, B> implements MapReduceJob<A, B> {
  private final MapReduceService service;
  private final Coordinator coordinator;
  private final long startedMillis;
  private final AtomicBoolean isTaken = new AtomicBoolean();
  private final CompletableFuture<ResultSink> sink = new CompletableFuture<>();
  private final CompletableFuture<Boolean> done = new CompletableFuture<>();

  @SuppressWarnings("unchecked") // the types are the user's promise
  <S, T> Job(MapReduceService service, MapReduceTask<A, B> task, MapSource<S, T> source) {
    this.service = service;
    this.startedMillis = service.env().epochClock().millis();
    if (task.combiner() == null && task.reducer() == null) {
      throw new InvalidRequestException(
          "map/reduce with neither combiner nor reducer; say how values of a key become one");
    }
    MapReduceInput<?, ?> input = task.input();
    if (input.filter() != null && !(task.mapper() instanceof Mapper)) {
      throw new InvalidRequestException(
          "map/reduce with a filter of objects and a mapper of bytes; filter in the mapper");
    }
    Set<Object> keys = (Set<Object>) input.keys();
    TaskSpec spec =
        new TaskSpec(
            source.engine().name(),
            task.mapper(),
            (Combiner<Object>) task.combiner(),
            (Reducer<Object, Object>) task.reducer(),
            (EntryFilter<Object, Object>) input.filter(),
            keys,
            task.memoryMaxBytes(),
            task.intermediateCache());
    if (source.engine().isClustered()) {
      checkSerializable(spec);
    }
    service.checkPairs(spec);
    this.coordinator =
        new Coordinator(
            service,
            source.engine(),
            new Coordinator.Plan(
                spec,
                segments(source, input),
                task.timeoutMillis(),
                task.isReducedHere(),
                task.progress() == null ? _ -> {} : task.progress(),
                service.calls().currentTrace()));
  }

  private static void checkSerializable(TaskSpec spec) {
    checkSerializable("mapper", spec.mapper());
    checkSerializable("combiner", spec.combiner());
    checkSerializable("reducer", spec.reducer());
    checkSerializable("filter", spec.filter());
    checkSerializable("keys", spec.keys());
  }

  private static void checkSerializable(String role, @Nullable Object part) {
    if (part != null) {
      ByteString _ = ShippedObject.toBytes(part, role + " of a map/reduce");
    }
  }

  private static <S, T> List<Integer> segments(MapSource<S, T> source, MapReduceInput<?, ?> input) {
    int count = source.engine().segmentCount();
    Set<Integer> wanted = input.segments();
    if (wanted != null && wanted.stream().anyMatch(segment -> segment < 0 || segment >= count)) {
      throw new InvalidRequestException(
          "no such segment: segments=%s; there are 0 to %d".formatted(wanted, count - 1));
    }
    Set<?> keys = input.keys();
    Segments segments = new Segments(count);
    IntStream all =
        keys == null
            ? IntStream.range(0, count)
            : keys.stream()
                .mapToInt(
                    key -> segments.of(source.hash().applyAsInt(source.storedKey().apply(key))))
                .distinct();
    return all.filter(segment -> wanted == null || wanted.contains(segment)).boxed().toList();
  }

  void begin() {
    Thread.ofVirtual().name("isogrid-mapreduce-job").start(this::run);
  }

  private void run() {
    Scheduler.Task heartbeat = () -> {};
    try {
      heartbeat = beginHeartbeat();
      coordinator.run(sink);
      end(heartbeat, null);
      done.complete(true);
    } catch (Throwable failure) { // tidy: top of the thread; all goes to the waiting thread
      end(heartbeat, failure);
      done.completeExceptionally(failure);
    }
  }

  private Scheduler.Task beginHeartbeat() {
    try {
      return service
          .env()
          .scheduler()
          .every(MapReduceService.HEARTBEAT_MILLIS, coordinator::heartbeat);
    } catch (RejectedExecutionException closed) {
      throw service.closed(closed);
    }
  }

  private void end(Scheduler.Task heartbeat, @Nullable Throwable failure) {
    heartbeat.close();
    coordinator.close();
    service.ended(this, failure);
  }

  /** The unique id. */
  UUID id() {
    return coordinator.id();
  }

  /** The report about it. */
  MapReduceReport report(MapReduceReport.State state, @Nullable Throwable failure) {
    return new MapReduceReport(
        coordinator.id().toString(),
        coordinator.cacheName(),
        state,
        startedMillis,
        stats(),
        failure == null ? null : failure.getMessage());
  }

  private void take() {
    if (!isTaken.compareAndSet(false, true)) {
      throw new IllegalStateException("result of a map/reduce was asked for before");
    }
  }

  @Override
  public Map<A, B> result() {
    take();
    ResultSink.ToMap map = new ResultSink.ToMap();
    sink.complete(map);
    await();
    return typed(map);
  }

  @SuppressWarnings("unchecked") // what the functions of these types emitted and reduced
  private static <A, B> Map<A, B> typed(ResultSink.ToMap map) {
    return (Map<A, B>) map.result();
  }

  private void await() {
    try {
      done.join();
    } catch (CompletionException e) {
      throw thrown(Objects.requireNonNullElse(e.getCause(), e));
    }
  }

  private static RuntimeException thrown(Throwable failure) {
    return switch (failure) {
      case MapReduceException failed ->
          new MapReduceException(String.valueOf(failed.getMessage()), failed.getCause());
      case GridException known -> known;
      case RuntimeException other -> other;
      default -> new FatalGridException("map/reduce failed: " + failure, failure);
    };
  }

  @Override
  public CompletableFuture<Map<A, B>> resultAsync() {
    take();
    ResultSink.ToMap map = new ResultSink.ToMap();
    sink.complete(map);
    CompletableFuture<Map<A, B>> result = new CompletableFuture<>();
    result.whenComplete((_, _) -> {
      if (result.isCancelled()) {
        cancel();
      }
    });
    done.whenComplete((_, failure) -> {
      if (failure != null) {
        result.completeExceptionally(thrown(failure));
      } else {
        result.complete(typed(map));
      }
    });
    return result;
  }

  @Override
  @SuppressWarnings("unchecked") // what the functions of these types emitted and reduced
  public void forEach(BiConsumer<? super A, ? super B> action) {
    take();
    sink.complete(new ResultSink.ToConsumer((BiConsumer<Object, Object>) action));
    await();
  }

  @Override
  public void cancel() {
    coordinator.cancel();
  }

  @Override
  public MapReduceStats stats() {
    return coordinator.stats();
  }
}
