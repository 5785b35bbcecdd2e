package dev.isogrid.verify.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.client.RemoteCache;
import dev.isogrid.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Threads that write rising numbers to keys of their own, until they are told to end. */
final class WriteLoad implements AutoCloseable {
  private static final int WRITERS = 4;
  private static final int KEYS = 50;
  private static final int MORE = 1000;

  private final RemoteCache<String, Long> cache;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Future<long[]>> writers = new ArrayList<>();
  private final AtomicLong writes = new AtomicLong();
  private final AtomicLong longestNanos = new AtomicLong();
  private volatile boolean isEnding;

  private WriteLoad(RemoteCache<String, Long> cache) {
    this.cache = cache;
  }

  /** Begins to write into a cache. */
  static WriteLoad begin(RemoteCache<String, Long> cache) {
    WriteLoad load = new WriteLoad(cache);
    for (int i = 0; i < WRITERS; i++) {
      int writer = i;
      load.writers.add(load.threads.submit(() -> load.write(writer)));
    }
    return load;
  }

  private static String key(int writer, int number) {
    return "w" + writer + "k" + number;
  }

  /** Returns by key the last number that was acknowledged; a refused write ends it. */
  private long[] write(int writer) {
    long[] acknowledged = new long[KEYS];
    for (int i = 0; !isEnding; i = (i + 1) % KEYS) {
      long begun = System.nanoTime();
      cache.put(key(writer, i), acknowledged[i] + 1);
      longestNanos.accumulateAndGet(System.nanoTime() - begun, Math::max);
      acknowledged[i]++;
      writes.incrementAndGet();
    }
    return acknowledged;
  }

  /** Waits until there are a thousand more writes, and no writer has failed. */
  void awaitMore() {
    long before = writes.get();
    Await.until(
        MORE + " more writes",
        () -> {
          for (Future<long[]> each : writers) {
            if (each.isDone()) {
              each.get();
            }
          }
          return writes.get() >= before + MORE;
        });
  }

  /** Lets the writers end. */
  void end() {
    isEnding = true;
  }

  /** The time of the slowest write. */
  Duration longest() {
    return Duration.ofNanos(longestNanos.get());
  }

  String summary() {
    return "writes=%d, longest=%d ms".formatted(writes.get(), longest().toMillis());
  }

  /** Checks that no write was refused, and that the last one of each key is there. */
  void check() throws Exception {
    for (int writer = 0; writer < WRITERS; writer++) {
      long[] acknowledged = writers.get(writer).get();
      for (int i = 0; i < KEYS; i++) {
        assertTrue(acknowledged[i] > 0, "too few writes");
        assertEquals(acknowledged[i], cache.get(key(writer, i)), key(writer, i));
      }
    }
  }

  @Override
  public void close() {
    isEnding = true;
    threads.close();
  }
}
