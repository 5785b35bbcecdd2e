package dev.isogrid.chaos.load;

import dev.isogrid.chaos.time.RealTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Writes to keys of each node repeatedly, without waiting for the answers, to measure gaps without
 * a success. Thread-safe.
 */
public final class Probes {
  /** The most keys to try until each node has its keys. */
  private static final int CANDIDATES = 1_000;

  /** The keys per combination of owners. */
  private static final int KEYS_ALIKE = 1;

  /** The number of keys if the owners are unknown. */
  private static final int KEYS_UNKNOWN = 12;

  /** Writes in flight: those of the client's time limit at the usual rate, with room to spare. */
  private static final int UNDER_WAY_MAX = 4_000;

  /** The limit of kept samples; the longest runs stay below it. */
  private static final int SAMPLES_MAX = 20_000_000;

  private static final long DRAIN_SECONDS_MAX = 30;

  private final Access access;
  private final Store store;
  private final Failures failures;
  private final RealTime time;
  private final AtomicLong lastValue;
  private final Semaphore underWay = new Semaphore(UNDER_WAY_MAX);
  private final Samples samples = new Samples();

  /** Replaced as a whole by the thread that chooses. */
  private volatile List<Target> targets = List.of();

  /** Written by the one thread that steps. */
  private long steps;

  Probes(RecordedCache.Shared shared, AtomicLong lastValue) {
    this.access = shared.access();
    this.store = access.probing();
    this.failures = new Failures(shared.access().repeats());
    this.time = shared.time();
    this.lastValue = lastValue;
  }

  /**
   * A key for writes.
   *
   * @param id identifies the choice of keys, and the key within it
   * @param key the key
   * @param owners the indices of the nodes that owned it when it was chosen, the primary first;
   *     empty if unknown
   */
  public record Target(int id, String key, List<Integer> owners) {
    /** Copies the list. */
    public Target {
      owners = List.copyOf(owners);
    }

    /** Whether a node is, or may be, its primary owner. */
    public boolean isPrimary(int node) {
      return owners.isEmpty() || owners.getFirst() == node;
    }

    /** Whether only other nodes are known to own it. */
    public boolean isElsewhere(int node) {
      return !owners.isEmpty() && !owners.contains(node);
    }
  }

  /**
   * Chooses keys of all combinations of primary and other owners.
   *
   * @return the keys; fewer if the clients do not know enough of the topology
   */
  List<Target> choose() {
    List<Target> chosen = new ArrayList<>();
    Map<List<Integer>, Integer> counts = new HashMap<>();
    int id = targets.isEmpty() ? 0 : targets.getLast().id + 1;
    for (int i = 0; i < CANDIDATES; i++) {
      String key = "p/" + i;
      List<Integer> owners = access.owners(key);
      int most = owners.isEmpty() ? KEYS_UNKNOWN : KEYS_ALIKE;
      if (counts.merge(owners, 1, Integer::sum) <= most) {
        chosen.add(new Target(id++, key, owners));
      }
    }
    targets = List.copyOf(chosen);
    return targets;
  }

  /** Writes to one key, the next in turn. */
  void step() {
    List<Target> now = targets;
    if (now.isEmpty() || !underWay.tryAcquire()) {
      return;
    }
    Target target = now.get((int) (steps++ % now.size()));
    long startNanos = time.nanos();
    try {
      store
          .putAsync(target.key, lastValue.incrementAndGet())
          .whenComplete((_, failure) -> ended(target, startNanos, failure == null, failure));
    } catch (RuntimeException failure) {
      ended(target, startNanos, false, failure);
    }
  }

  private void ended(Target target, long startNanos, boolean isDone, @Nullable Throwable failure) {
    underWay.release();
    if (failure != null) {
      failures.add(failure);
    }
    samples.add(target.id, startNanos, isDone ? time.nanos() : -1);
  }

  /** Waits for the writes in flight. */
  void drain() throws InterruptedException {
    if (!underWay.tryAcquire(UNDER_WAY_MAX, DRAIN_SECONDS_MAX, TimeUnit.SECONDS)) {
      throw new IllegalStateException(
          "the client did not end a write in " + DRAIN_SECONDS_MAX + " s");
    }
    underWay.release(UNDER_WAY_MAX);
  }

  /** The failures of writes. */
  public Failures failures() {
    return failures;
  }

  /** The number of ended writes. */
  public long count() {
    return samples.count();
  }

  /**
   * The longest time without a success on some keys, as far as it overlaps an interval. A gap that
   * begins before the interval or ends after it counts as a whole.
   */
  public long gapNanos(List<Target> of, long fromNanos, long toNanos) {
    long longest = 0;
    for (Target target : of) {
      long[] ends = samples.successes(target.id);
      for (int i = 1; i < ends.length; i++) {
        if (ends[i] >= fromNanos && ends[i - 1] <= toNanos) {
          longest = Math.max(longest, ends[i] - ends[i - 1]);
        }
      }
    }
    return longest;
  }

  /** The latencies of successful writes to some keys that were sent in an interval, in order. */
  public long[] latenciesNanos(List<Target> of, long fromNanos, long toNanos) {
    return samples.latencies(of.stream().mapToInt(Target::id).toArray(), fromNanos, toNanos);
  }

  /** The number of failed writes to some keys that were sent in an interval. */
  public long failed(List<Target> of, long fromNanos, long toNanos) {
    return samples.failed(of.stream().mapToInt(Target::id).toArray(), fromNanos, toNanos);
  }

  /** Ended writes: their keys, when they were sent, and when answered, or -1 if they failed. */
  private static final class Samples {
    private static final int FIRST_CAPACITY = 1 << 16;

    private int[] ids = new int[FIRST_CAPACITY];
    private long[] starts = new long[FIRST_CAPACITY];
    private long[] ends = new long[FIRST_CAPACITY];
    private int count;

    synchronized void add(int id, long startNanos, long endNanos) {
      if (count == SAMPLES_MAX) {
        return;
      }
      if (count == ids.length) {
        int capacity = Math.min(count * 2, SAMPLES_MAX);
        ids = Arrays.copyOf(ids, capacity);
        starts = Arrays.copyOf(starts, capacity);
        ends = Arrays.copyOf(ends, capacity);
      }
      ids[count] = id;
      starts[count] = startNanos;
      ends[count++] = endNanos;
    }

    synchronized long count() {
      return count;
    }

    synchronized long[] successes(int id) {
      long[] found = new long[count];
      int size = 0;
      for (int i = 0; i < count; i++) {
        if (ids[i] == id && ends[i] >= 0) {
          found[size++] = ends[i];
        }
      }
      Arrays.sort(found, 0, size);
      return Arrays.copyOf(found, size);
    }

    synchronized long[] latencies(int[] of, long fromNanos, long toNanos) {
      long[] found = new long[count];
      int size = 0;
      for (int i = 0; i < count; i++) {
        if (isAmong(i, of, fromNanos, toNanos) && ends[i] >= 0) {
          found[size++] = ends[i] - starts[i];
        }
      }
      Arrays.sort(found, 0, size);
      return Arrays.copyOf(found, size);
    }

    synchronized long failed(int[] of, long fromNanos, long toNanos) {
      long failed = 0;
      for (int i = 0; i < count; i++) {
        failed += isAmong(i, of, fromNanos, toNanos) && ends[i] < 0 ? 1 : 0;
      }
      return failed;
    }

    private boolean isAmong(int i, int[] of, long fromNanos, long toNanos) {
      boolean isIn = starts[i] >= fromNanos && starts[i] <= toNanos;
      return isIn && Arrays.stream(of).anyMatch(id -> id == ids[i]);
    }
  }
}
