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
 * A map/reduce as it is to be done: which entries, what is made of each, and how what belongs to a
 * key is put together.
 *
 * {@snippet :
 * List<Map.Entry<String, Long>> top = grid.mapReduce(cache)
 *     .<String, Long>mappedWith((key, text, out) -> {
 *       for (String word : text.split(" ")) {
 *         out.emit(word, 1L);
 *       }
 *     })
 *     .combinedWith(Long::sum)
 *     .execute(Collator.top(10));
 * }
 *
 * <p>The entries are mapped on the nodes that have them, on all their processors. Every entry that
 * is there all the time counts exactly once, also when nodes come, go or fail meanwhile; how much
 * memory that takes and what goes to disk is found out while it runs. The functions must be
 * serialisable, with all that they capture, if there are other nodes.
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

  /** Says how two values of a key become one, which makes tasks with many such pairs far faster. */
  public MapReduceTask<A, B> combinedWith(Combiner<B> combiner) {
    return with(task -> task.combiner = Objects.requireNonNull(combiner));
  }

  /** Says what becomes of the values of a key; without, a combiner must make one of them. */
  public MapReduceTask<A, B> reducedWith(Reducer<A, B> reducer) {
    return with(task -> task.reducer = Objects.requireNonNull(reducer));
  }

  /** Says how long it may take; 0, the default, for any time. */
  public MapReduceTask<A, B> timeout(long timeout, TimeUnit unit) {
    return with(task -> task.timeoutMillis = Math.max(0, unit.toMillis(timeout)));
  }

  /** As {@link #timeout(long, TimeUnit)}. */
  public MapReduceTask<A, B> timeout(Duration timeout) {
    return timeout(TimeUnit.MILLISECONDS.convert(timeout), TimeUnit.MILLISECONDS);
  }

  /** Reduces the values on this node alone, instead of on all that map. */
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
   * Has pairs on their way kept in a cache of the grid, from when they are emitted until the task
   * ends, instead of in memory of the task's own: that cache says where they are and how many
   * copies there are. Any number of tasks may share it, at the same time. It best has no other
   * entries; if it has, they stay as they are. Those of tasks are seen there as arrays of bytes,
   * and must be left alone: a task whose pairs are removed fails. Listeners don't hear of them.
   * Values that are merged while reducing are the task's own again, in memory or on disk.
   *
   * @param cacheName a cache other than the one that is mapped. It must exist when the task is
   *     started, keep bytes, on the heap or off it, and neither evict nor expire entries; it may
   *     refuse them when it is full, which fails the task. It must be clustered if the mapped one
   *     is, and not by invalidation.
   */
  public MapReduceTask<A, B> usingSharedIntermediateCache(String cacheName) {
    return with(task -> task.intermediateCache = Objects.requireNonNull(cacheName));
  }

  /**
   * Sets what is called with the progress, several times per second and at the end. It must be
   * quick.
   */
  public MapReduceTask<A, B> onProgress(Consumer<? super MapReduceStats> progress) {
    return with(task -> task.progress = Objects.requireNonNull(progress));
  }

  /**
   * Starts it.
   *
   * @throws InvalidRequestException if there is neither combiner nor reducer, a function can't be
   *     serialised, naming what it captured, or the intermediate cache does not do, saying why
   */
  public MapReduceJob<A, B> start() {
    return launcher.start(this);
  }

  /**
   * Does it.
   *
   * @return the result as a new map
   * @throws MapReduceException if it fails
   */
  public Map<A, B> execute() {
    return start().result();
  }

  /** Does it, and gives what a collator makes of the result. */
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
   * Does it, and puts the results into a cache as they come, so that they may be larger than
   * memory. If a node that reduces fails while they come, some are put twice.
   *
   * @return what was counted
   */
  public MapReduceStats executeInto(Cache<? super A, ? super B> target) {
    MapReduceJob<A, B> job = start();
    job.forEach(target::put);
    return job.stats();
  }

  /** The entries that it goes through. */
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

  /** How long it may take in milliseconds; 0 for any time. */
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

  /** The cache that pairs on their way are kept in, or null. */
  public @Nullable String intermediateCache() {
    return intermediateCache;
  }

  /** The receiver of the progress, or null. */
  public @Nullable Consumer<? super MapReduceStats> progress() {
    return progress;
  }
}
