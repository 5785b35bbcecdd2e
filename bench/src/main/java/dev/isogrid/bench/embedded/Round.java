package dev.isogrid.bench.embedded;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that call one map for some time. */
final class Round {
  /** Calls between two looks at the clock. */
  private static final int BATCH = 1 << 12;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final ConcurrentMap<Object, Object> map;
  private final Object[] keys;
  private final Object[] values;
  private final boolean isPut;
  private final long nanos;

  Round(
      ConcurrentMap<Object, Object> map,
      Object[] keys,
      Object[] values,
      boolean isPut,
      long nanos) {
    this.map = map;
    this.keys = keys;
    this.values = values;
    this.isPut = isPut;
    this.nanos = nanos;
  }

  /**
   * The work of a thread.
   *
   * @param cpuNanos its processor time
   * @param wallNanos the time from its first call to its last
   */
  record Work(long calls, long cpuNanos, long wallNanos, long bytes) {
    Work plus(Work other) {
      return new Work(
          calls + other.calls,
          cpuNanos + other.cpuNanos,
          Math.max(wallNanos, other.wallNanos),
          bytes + other.bytes);
    }

    /** Processor time per call. */
    double cpuNanosPerCall() {
      return (double) cpuNanos / calls;
    }

    double callsPerMicro() {
      return 1000.0 * calls / wallNanos;
    }

    double bytesPerCall() {
      return (double) bytes / calls;
    }
  }

  /** Runs threads at the same time; returns the sum of their work. */
  Work run(int threads) throws InterruptedException {
    if (threads == 1) {
      return work(0);
    }
    CyclicBarrier start = new CyclicBarrier(threads);
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<Work>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int from = i * (Kind.SEQUENCE_LENGTH / threads);
        all.add(
            pool.submit(() -> {
              start.await();
              return work(from);
            }));
      }
      Work sum = all.getFirst().get();
      for (Future<Work> each : all.subList(1, threads)) {
        sum = sum.plus(each.get());
      }
      return sum;
    } catch (ExecutionException failure) {
      throw new IllegalStateException("a thread of the benchmark failed", failure);
    }
  }

  private Work work(int from) {
    long bytes = THREADS.getCurrentThreadAllocatedBytes();
    long cpu = THREADS.getCurrentThreadCpuTime();
    long begin = System.nanoTime();
    long calls = 0;
    int at = from;
    long end;
    do {
      int found = isPut ? puts(at) : gets(at);
      if (found != BATCH) {
        throw new IllegalStateException(
            "entries are missing: found=%d of %d".formatted(found, BATCH));
      }
      at = at + BATCH & Kind.SEQUENCE_LENGTH - 1;
      calls += BATCH;
      end = System.nanoTime();
    } while (end - begin < nanos);
    return new Work(
        calls,
        THREADS.getCurrentThreadCpuTime() - cpu,
        end - begin,
        THREADS.getCurrentThreadAllocatedBytes() - bytes);
  }

  private int gets(int from) {
    int seen = 0;
    for (int i = 0; i < BATCH; i++) {
      seen += map.get(keys[from + i & Kind.SEQUENCE_LENGTH - 1]) == null ? 0 : 1;
    }
    return seen;
  }

  private int puts(int from) {
    int seen = 0;
    for (int i = 0; i < BATCH; i++) {
      Object before =
          map.put(keys[from + i & Kind.SEQUENCE_LENGTH - 1], values[from + i & values.length - 1]);
      seen += before == null ? 0 : 1;
    }
    return seen;
  }
}
