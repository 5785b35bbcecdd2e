package dev.isogrid.api;

import java.io.Serializable;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a map/reduce: its input, its mapper, and the combiner and reducer for the
 * values of a key.
 *
 * {@snippet :
 * Mapper<String, String, String, Long> words =
 *     (key, text, out) -> Stream.of(text.split(" ")).forEach(word -> out.emit(word, 1L));
 * List<Map.Entry<String, Long>> top =
 *     grid.mapReduce(cache).mappedWith(words).combinedWith(Long::sum).execute(Collator.top(10));
 * }
 *
 * <p>The entries are mapped on the nodes that have them, on all their processors. Every entry that
 * is there all the time counts exactly once, also when nodes come, go or fail meanwhile; the use of
 * memory and disk is adapted while it runs. The functions must be serialisable, with all that they
 * capture, if there are other nodes.
 *
 * <p>Immutable: the methods give new ones. One task can be started many times.
 *
 * @param <A> the keys of the result
 * @param <B> the values of the result
 */
public final class MapReduceTask<A, B> {
  private final MapReduceLauncher launcher;
  private final MapReduceInput<?, ?> input;
  private final Serializable mapper;
  private @Nullable Combiner<B> combiner;
  private @Nullable Reducer<A, B> reducer;
  private long timeoutMillis;
  private boolean isReducedHere;
  private long memoryMaxBytes;
  private @Nullable String intermediateCache;
  private @Nullable Consumer<? super MapReduceStats> progress;

  MapReduceTask(MapReduceLauncher launcher, MapReduceInput<?, ?> input, Serializable mapper) {
    this.launcher = launcher;
    this.input = input;
    this.mapper = mapper;
  }

  private MapReduceTask(MapReduceTask<A, B> other) {
    this(other.launcher, other.input, other.mapper);
    combiner = other.combiner;
    reducer = other.reducer;
    timeoutMillis = other.timeoutMillis;
    isReducedHere = other.isReducedHere;
    memoryMaxBytes = other.memoryMaxBytes;
    intermediateCache = other.intermediateCache;
    progress = other.progress;
  }

  private MapReduceTask<A, B> with(Consumer<MapReduceTask<A, B>> change) {
    MapReduceTask<A, B> changed = new MapReduceTask<>(this);
    change.accept(changed);
    return changed;
  }

  /**
   * Sets the function that combines two values of a key into one. It makes tasks with many such
   * pairs far faster.
   */
  public MapReduceTask<A, B> combinedWith(Combiner<B> combiner) {
    return with(task -> task.combiner = Objects.requireNonNull(combiner));
  }

  /**
   * Sets the function that reduces the values of a key. Without it, a combiner must make one value
   * of them.
   */
  public MapReduceTask<A, B> reducedWith(Reducer<A, B> reducer) {
    return with(task -> task.reducer = Objects.requireNonNull(reducer));
  }

  /**
   * Sets the time limit.
   *
   * @param timeout a positive time is 1 ms at least; 0, the default, or less for no limit
   */
  public MapReduceTask<A, B> timeout(long timeout, TimeUnit unit) {
    long millis = Objects.requireNonNull(unit, "unit").toMillis(timeout);
    return withTimeout(timeout > 0, millis);
  }

  /** As {@link #timeout(long, TimeUnit)}. */
  public MapReduceTask<A, B> timeout(Duration timeout) {
    long millis = TimeUnit.MILLISECONDS.convert(Objects.requireNonNull(timeout, "timeout"));
    return withTimeout(!timeout.isNegative() && !timeout.isZero(), millis);
  }

  private MapReduceTask<A, B> withTimeout(boolean isPositive, long millis) {
    return with(task -> task.timeoutMillis = isPositive ? Math.max(1, millis) : 0);
  }

  /** Reduces the values on this node alone, instead of on all mapping nodes. */
  public MapReduceTask<A, B> reducedHere() {
    return with(task -> task.isReducedHere = true);
  }

  /**
   * Sets the most memory of a node that pairs on their way may take before they go to disk.
   *
   * @param bytes 1 or more; 0, the default, for a part of the free heap
   */
  public MapReduceTask<A, B> memoryMax(long bytes) {
    return with(task -> task.memoryMaxBytes = Math.max(0, bytes));
  }

  /**
   * Keeps pairs on their way in a cache of the grid, from their emission until the end of the task,
   * instead of in the task's own memory. The cache determines their nodes and the number of copies.
   * Any number of tasks may share it, at the same time. It should have no other entries; other
   * entries are not changed. The entries of tasks are arrays of bytes there, and must be left
   * alone: a task whose pairs are removed fails. Listeners get no events for them. Values that are
   * merged while reducing are kept by the task itself again, in memory or on disk.
   *
   * @param cacheName a cache other than the one that is mapped. It must exist when the task is
   *     started, keep bytes, on the heap or off it, and neither evict nor expire entries; it may
   *     refuse them when it is full, which fails the task. It must be clustered if the mapped one
   *     is, and must not be an invalidation cache.
   */
  public MapReduceTask<A, B> usingSharedIntermediateCache(String cacheName) {
    return with(task -> task.intermediateCache = Objects.requireNonNull(cacheName));
  }

  /**
   * Sets a listener for the progress, called several times per second and at the end. It must be
   * quick.
   */
  public MapReduceTask<A, B> onProgress(Consumer<? super MapReduceStats> progress) {
    return with(task -> task.progress = Objects.requireNonNull(progress));
  }

  /**
   * Starts it.
   *
   * @throws InvalidRequestException if there is neither combiner nor reducer, a function can't be
   *     serialised, (the message names the captured object), or the intermediate cache is not
   *     suitable (the message says why)
   */
  public MapReduceJob<A, B> start() {
    return launcher.start(this);
  }

  /**
   * Runs the task and waits for its end.
   *
   * @return the result as a new map
   * @throws MapReduceException if it fails
   */
  public Map<A, B> execute() {
    return start().result();
  }

  /** Runs the task, and returns the answer of a collator for its result. */
  public <R> R execute(Collator<? super A, ? super B, R> collator) {
    return collate(collator, execute());
  }

  @SuppressWarnings("unchecked") // a collator reads the map only
  private static <A, B, R> R collate(Collator<? super A, ? super B, R> collator, Map<A, B> map) {
    return ((Collator<A, B, R>) collator).collate(map);
  }

  /** As {@link #execute()}, in the background. Cancelling the future cancels the task. */
  public CompletableFuture<Map<A, B>> executeAsync() {
    return start().resultAsync();
  }

  /**
   * Runs the task, and puts the results into a cache as they arrive, so that they may be larger
   * than memory. If a reducing node fails meanwhile, some are put twice.
   *
   * @return the counts of the task
   */
  public MapReduceStats executeInto(Cache<? super A, ? super B> target) {
    MapReduceJob<A, B> job = start();
    job.forEach(target::put);
    return job.stats();
  }

  /** The input: a cache, or a part of it. */
  public MapReduceInput<?, ?> input() {
    return input;
  }

  /** The {@link Mapper} or {@link BytesMapper}. */
  public Serializable mapper() {
    return mapper;
  }

  /** The combiner, or null. */
  public @Nullable Combiner<B> combiner() {
    return combiner;
  }

  /** The reducer, or null. */
  public @Nullable Reducer<A, B> reducer() {
    return reducer;
  }

  /** The time limit in milliseconds; 0 for none. */
  public long timeoutMillis() {
    return timeoutMillis;
  }

  /** Whether this node alone reduces. */
  public boolean isReducedHere() {
    return isReducedHere;
  }

  /** The most memory of a node for pairs on their way in bytes, or 0. */
  public long memoryMaxBytes() {
    return memoryMaxBytes;
  }

  /** The cache that keeps pairs on their way, or null. */
  public @Nullable String intermediateCache() {
    return intermediateCache;
  }

  /** The receiver of the progress, or null. */
  public @Nullable Consumer<? super MapReduceStats> progress() {
    return progress;
  }
}
