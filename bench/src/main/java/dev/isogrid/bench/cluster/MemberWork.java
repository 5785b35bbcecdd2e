package dev.isogrid.bench.cluster;

import dev.isogrid.bench.load.Operation;
import dev.isogrid.bench.run.RealTime;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Executes the commands of a node's process: load on the cache from inside. */
final class MemberWork {
  private static final int FILLING_THREADS = 4;

  /** The pause between two writes to a watched key. */
  private static final long WATCH_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final ConcurrentMap<String, byte[]> cache;

  MemberWork(ConcurrentMap<String, byte[]> cache) {
    this.cache = cache;
  }

  private static String key(int index) {
    return "key-" + index;
  }

  /** Puts the first entries. */
  void fill(int count, int valueSize) throws InterruptedException, ExecutionException {
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int thread = 0; thread < FILLING_THREADS; thread++) {
      int first = thread;
      tasks.add(() -> {
        for (int i = first; i < count; i += FILLING_THREADS) {
          cache.put(key(i), new byte[valueSize]);
        }
        return null;
      });
    }
    all(tasks);
  }

  /**
   * A load of several threads.
   *
   * @param operation the operation to repeat
   * @param threads the number of threads, each of which waits for its results
   * @param millis the duration
   * @param keys the number of keys, all equally likely
   * @param valueSize bytes of a value
   */
  record Order(Operation operation, int threads, int millis, int keys, int valueSize) {}

  /** Runs the load; returns the latencies of its operations. */
  Latencies run(Order order) throws InterruptedException, ExecutionException {
    long endNanos = RealTime.nanos() + TimeUnit.MILLISECONDS.toNanos(order.millis);
    List<Callable<Latencies>> tasks = new ArrayList<>();
    for (int thread = 0; thread < order.threads; thread++) {
      SplittableRandom random = new SplittableRandom(thread);
      tasks.add(() -> runOne(order, random, endNanos));
    }
    Latencies all = new Latencies();
    all(tasks).forEach(all::addAll);
    return all;
  }

  private Latencies runOne(Order order, SplittableRandom random, long endNanos) {
    Latencies latencies = new Latencies();
    byte[] value = new byte[order.valueSize];
    long before = RealTime.nanos();
    for (long count = 0; before - endNanos < 0; count++) {
      String key = key(random.nextInt(order.keys));
      if (order.operation.of(count) == Operation.PUT) {
        cache.put(key, value);
      } else if (cache.get(key) == null) {
        throw new IllegalStateException("an entry is missing: key=" + key);
      }
      long after = RealTime.nanos();
      latencies.add(after - before);
      before = after;
    }
    return latencies;
  }

  /**
   * Writes to some keys repeatedly, each on a thread of its own.
   *
   * @return the longest time without a successful write to one of them, in nanoseconds, and the
   *     number of failed writes
   */
  long[] watch(int keys, int millis) throws InterruptedException, ExecutionException {
    long endNanos = RealTime.nanos() + TimeUnit.MILLISECONDS.toNanos(millis);
    List<Callable<long[]>> tasks = new ArrayList<>();
    for (int i = 0; i < keys; i++) {
      String key = "watched-" + i;
      tasks.add(() -> watchOne(key, endNanos));
    }
    long[] found = new long[2];
    for (long[] ofKey : all(tasks)) {
      found[0] = Math.max(found[0], ofKey[0]);
      found[1] += ofKey[1];
    }
    return found;
  }

  private long[] watchOne(String key, long endNanos) {
    long lastSuccess = RealTime.nanos();
    long longest = 0;
    long failures = 0;
    while (RealTime.nanos() - endNanos < 0) {
      try {
        cache.put(key, new byte[1]);
        long now = RealTime.nanos();
        longest = Math.max(longest, now - lastSuccess);
        lastSuccess = now;
      } catch (RuntimeException _) {
        // A node that fails makes writes fail. They are counted, and end with a success or with the
        // run.
        failures++;
      }
      LockSupport.parkNanos(WATCH_PAUSE_NANOS);
    }
    return new long[] {Math.max(longest, RealTime.nanos() - lastSuccess), failures};
  }

  private static <T> List<T> all(List<Callable<T>> tasks)
      throws InterruptedException, ExecutionException {
    List<T> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(tasks.size())) {
      for (Future<T> task : threads.invokeAll(tasks)) {
        results.add(task.get());
      }
    }
    return results;
  }
}
