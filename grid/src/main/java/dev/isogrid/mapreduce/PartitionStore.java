package dev.isogrid.mapreduce;

import dev.isogrid.api.Combiner;
import dev.isogrid.api.Reducer;
import dev.isogrid.base.NanoClock;
import dev.isogrid.codec.ByteString;
import dev.isogrid.codec.ObjectReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The pairs of one partition of the keys, on the node that reduces them. Thread-safe.
 *
 * <p>Pairs come in runs, each of an attempt to map some segments. They wait until the attempt
 * counts, or are dropped. Runs that count are merged from time to time, small ones first, so that a
 * pair is copied O(log n) times; runs on disk likewise.
 */
final class PartitionStore {
  /** The number of runs in memory, or on disk, that are merged. */
  private static final int RUNS_MAX = 16;

  private final @Nullable Combiner<Object> combiner;
  private final AtomicLong memory;
  private final long memoryMaxBytes;
  private final NodeCounters counters;
  private final NanoClock clock;
  private final ObjectReader objects;
  private final ReentrantLock lock = new ReentrantLock();

  /** The fields below are guarded by the lock. */
  private final Map<Long, List<Run>> waiting = new HashMap<>();

  private final Set<Long> decided = new HashSet<>();
  private List<Run> counting = new ArrayList<>();
  private @Nullable PairMerge result;

  /** The number of parts of the result so far, and the last one, which may be requested again. */
  private int parts;

  private @Nullable ByteString lastPart;

  /** The failure of a part, whose keys are gone with it; null if there is none. */
  private @Nullable Throwable failure;

  private boolean isClosed;

  /** The thread that makes a part, or null. Written under the lock, read without. */
  private volatile @Nullable Thread reducing;

  /** Written by {@link #close}. */
  private volatile boolean isEnding;

  /** The memory of the runs. Changed under the lock. */
  private final AtomicLong memoryBytes = new AtomicLong();

  /** The received bytes, whether or not they count. */
  private final AtomicLong receivedBytes = new AtomicLong();

  /**
   * Begins empty.
   *
   * @param memory the memory of all partitions of the task on this node
   * @param memoryMaxBytes the limit above which no more is merged into memory
   */
  PartitionStore(
      @Nullable Combiner<Object> combiner,
      AtomicLong memory,
      long memoryMaxBytes,
      NodeCounters counters,
      NanoClock clock,
      ObjectReader objects) {
    this.combiner = combiner;
    this.memory = memory;
    this.memoryMaxBytes = memoryMaxBytes;
    this.counters = counters;
    this.clock = clock;
    this.objects = objects;
  }

  long memoryBytes() {
    return memoryBytes.get();
  }

  /** The bytes of all received runs. */
  long receivedBytes() {
    return receivedBytes.get();
  }

  private void took(long bytes) {
    memoryBytes.addAndGet(bytes);
    memory.addAndGet(bytes);
  }

  /** Takes a run of an attempt; it waits. */
  void add(long attempt, Run run) {
    lock.lock();
    try {
      if (isClosed || result != null || decided.contains(attempt)) {
        throw new NoSuchTaskException("pairs came too late: attempt=" + attempt);
      }
      waiting.computeIfAbsent(attempt, _ -> new ArrayList<>()).add(run);
      receivedBytes.addAndGet(run.bytes());
      took(run.heapBytes());
    } finally {
      lock.unlock();
    }
  }

  /** Makes attempts count; a second time has no effect. */
  void count(long[] attempts) {
    lock.lock();
    try {
      for (long attempt : attempts) {
        List<Run> runs = decided.add(attempt) ? waiting.remove(attempt) : null;
        if (runs != null) {
          counting.addAll(runs);
        }
      }
      if (combiner != null) {
        mergeCached(1);
        mergeMany(false);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Drops attempts. */
  void drop(long[] attempts) {
    Map<Run, Long> dropped = new HashMap<>();
    lock.lock();
    try {
      for (long attempt : attempts) {
        List<Run> runs = decided.add(attempt) ? waiting.remove(attempt) : null;
        if (runs != null) {
          took(-runs.stream().mapToLong(Run::heapBytes).sum());
          runs.forEach(run -> dropped.put(run, attempt));
        }
      }
    } finally {
      lock.unlock();
    }
    dropped.forEach(Run::discard);
  }

  private void free(Collection<Run> runs) {
    for (Run run : runs) {
      took(-run.heapBytes());
      run.free();
    }
  }

  /**
   * Writes the runs in memory to disk, on a thread that is never interrupted. An interrupt would
   * close the files, which others share, and a call is interrupted when its caller is gone.
   */
  void spill() {
    try {
      CompletableFuture.runAsync(
              this::spillHere, Thread.ofVirtual().name("isogrid-mapreduce-spill")::start)
          .join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }

  private void spillHere() {
    lock.lock();
    try {
      if (!isClosed && result == null) {
        counting = spilled(counting);
        waiting.replaceAll((_, runs) -> spilled(runs));
        mergeMany(true);
      }
    } finally {
      lock.unlock();
    }
  }

  private List<Run> spilled(List<Run> runs) {
    List<Run> inMemory = runs.stream().filter(Run.InMemory.class::isInstance).toList();
    if (inMemory.isEmpty()) {
      return runs;
    }
    List<Run> rest = new ArrayList<>(runs);
    rest.removeAll(inMemory);
    rest.add(merged(inMemory, true));
    return rest;
  }

  /** Merges small runs, in memory or on disk, if there are many. */
  private void mergeMany(boolean onDisk) {
    List<Run> some =
        new ArrayList<>(
            counting.stream().filter(run -> run instanceof Run.OnDisk == onDisk).toList());
    if (some.size() < RUNS_MAX) {
      return;
    }
    some.sort(Comparator.comparingLong(Run::bytes));
    long sum = 0;
    int count = 0;
    while (count < some.size() && (count < RUNS_MAX / 2 || some.get(count).bytes() <= 2 * sum)) {
      sum += some.get(count++).bytes();
    }
    mergeSome(some.subList(0, count), onDisk);
  }

  /**
   * Merges runs in a cache until there are few, some at a time, so that few of their bytes are in
   * memory.
   *
   * @param mergesMax the most merges: the thread that counts attempts does not wait for all
   */
  private void mergeCached(int mergesMax) {
    List<Run> cached = new ArrayList<>(counting);
    cached.removeIf(run -> !(run instanceof Run.InCache));
    int merges = Math.min(cached.size() / RUNS_MAX, mergesMax);
    for (int from = 0; from < merges * RUNS_MAX; from += RUNS_MAX) {
      List<Run> some = cached.subList(from, from + RUNS_MAX);
      mergeSome(some, combiner == null || !isRoomFor(some));
      mergeMany(true);
    }
  }

  /** Whether runs fit into memory even if no pairs can be combined. */
  private boolean isRoomFor(List<Run> runs) {
    return memory.get() + runs.stream().mapToLong(Run::bytes).sum() <= memoryMaxBytes;
  }

  private void mergeSome(List<Run> runs, boolean onDisk) {
    List<Run> rest = new ArrayList<>(counting);
    rest.removeAll(new HashSet<>(runs));
    rest.add(merged(runs, onDisk));
    counting = rest;
  }

  /** Merges several runs into one, and frees them. */
  private Run merged(List<Run> runs, boolean onDisk) {
    long begin = clock.nanoTime();
    PairMerge merge = new PairMerge(runs, objects);
    Run whole;
    if (onDisk) {
      whole =
          Run.OnDisk.write(output -> {
            while (merge.nextKey()) {
              merge.appendKey(combiner, output.buffer, output::afterPair);
            }
          });
      counters.bytesSpilled.add(whole.bytes());
    } else {
      PairBytes out = new PairBytes(1 << 16);
      while (merge.nextKey()) {
        merge.appendKey(combiner, out, () -> {});
      }
      whole = new Run.InMemory(out.copy(), 0);
      took(whole.heapBytes());
    }
    free(runs);
    counters.mergeNanos.add(clock.nanoTime() - begin);
    return whole;
  }

  /**
   * The next part of the result, or a repetition of the last one: a byte that is 1 if there are no
   * more parts, then pairs. The first part drops all waiting runs, and the last one frees the runs.
   *
   * <p>It is made on a thread that only {@link #close} interrupts: a call is interrupted when its
   * caller asks once more, and the keys that are reduced by then must come into this part.
   *
   * @param index of the part, from 0 on
   * @param reducer null if a combiner suffices
   * @param bytesMin the least size of a part, except the last
   */
  ByteString part(int index, @Nullable Reducer<Object, Object> reducer, int bytesMin)
      throws Exception {
    FutureTask<ByteString> made = new FutureTask<>(() -> partHere(index, reducer, bytesMin));
    Thread _ = Thread.ofVirtual().name("isogrid-mapreduce-reduce").start(made);
    try {
      return made.get();
    } catch (ExecutionException failed) {
      throw thrown(failed.getCause());
    }
  }

  /** A failure as an exception; throws errors itself. */
  private static Exception thrown(@Nullable Throwable failure) {
    return switch (failure) {
      case Exception exception -> exception;
      case Error error -> throw error;
      case null, default -> new IllegalStateException(failure);
    };
  }

  private ByteString partHere(int index, @Nullable Reducer<Object, Object> reducer, int bytesMin)
      throws Exception {
    lock.lock();
    try {
      reducing = Thread.currentThread();
      if (failure != null) {
        throw thrown(failure);
      }
      if (lastPart != null && index == parts - 1) {
        return lastPart; // the answer was lost
      }
      if (isEnding || isClosed || index != parts) {
        throw new NoSuchTaskException("result was handed over already");
      }
      return nextPart(reducer, bytesMin);
    } finally {
      reducing = null;
      lock.unlock();
    }
  }

  private ByteString nextPart(@Nullable Reducer<Object, Object> reducer, int bytesMin)
      throws Exception {
    try {
      PairMerge merge = result;
      if (merge == null) {
        waiting.values().forEach(this::free);
        waiting.clear();
        mergeCached(Integer.MAX_VALUE);
        merge = new PairMerge(counting, objects);
        result = merge;
      }
      PairBytes out = new PairBytes(Math.min(bytesMin, 1 << 16));
      out.write(0);
      boolean hasMore = true;
      while (out.length() < bytesMin && hasMore) {
        if (isEnding) {
          throw new NoSuchTaskException("task ended while its result was made");
        }
        hasMore = merge.nextKey();
        if (hasMore) {
          reduceKey(merge, reducer, out);
        }
      }
      if (!hasMore) {
        out.array()[0] = 1;
        closeLocked();
      }
      lastPart = ByteString.of(out.copy());
      parts++;
      return lastPart;
    } catch (Exception | Error failed) {
      failure = result == null ? null : failed; // else nothing was taken out of the runs
      throw failed;
    }
  }

  private void reduceKey(
      PairMerge merge, @Nullable Reducer<Object, Object> reducer, PairBytes out) {
    byte[] key = merge.key();
    int at = RunCursor.begin(out);
    out.write(key, 0, key.length);
    Iterator<Object> values =
        combiner == null ? merge : List.of(merge.combined(combiner)).iterator();
    Object value;
    if (reducer == null) {
      value = values.next();
    } else {
      Object decoded = PairCodec.read(key, 0, key.length, objects);
      try {
        value = Objects.requireNonNull(reducer.reduce(decoded, values), "a reducer gave null");
      } catch (PairCacheException notTheUsers) {
        throw notTheUsers;
      } catch (Exception e) {
        throw new UserFailure("reducer", decoded, e);
      }
    }
    PairCodec.write(value, out);
    RunCursor.end(out, at, merge.keyHash(), key.length);
    counters.distinctKeys.increment();
  }

  /** Frees everything, and ends the making of a part. Calling it twice is harmless. */
  void close() {
    isEnding = true;
    Thread busy = reducing;
    if (busy != null) {
      busy.interrupt();
    }
    lock.lock();
    try {
      closeLocked();
      lastPart = null;
    } finally {
      lock.unlock();
    }
  }

  private void closeLocked() {
    isClosed = true;
    waiting.values().forEach(this::free);
    waiting.clear();
    free(counting);
    counting = List.of();
    result = null;
  }
}
