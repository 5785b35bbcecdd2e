package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.Grid;
import dev.isogrid.api.StorageType;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The allocation of a call on an embedded cache: its result. */
class CallAllocationTest {
  private static final int CALLS = 1000;

  /** Until the compiler has done its work; the first round that shows it is enough. */
  private static final int ROUNDS_MAX = 3000;

  /** A string of 100 ASCII characters and its array, however long their headers are. */
  private static final long TEXT_BYTES = 24 + 16 + 104;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Bytes that a call allocates in the best round, or in the first that is within a limit. */
  private static long bytesPerCall(long limit, Runnable call) {
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS_MAX && least > limit * CALLS; round++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < CALLS; i++) {
        call.run();
      }
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    return least / CALLS;
  }

  private static void assertAllocates(long limit, String what, Runnable call) {
    long bytes = bytesPerCall(limit, call);
    assertTrue(bytes <= limit, () -> what + ": bytes=" + bytes + ", limit=" + limit);
  }

  private static Cache<String, String> cache(Grid grid, long lifespanMillis) {
    CacheConfig config =
        CacheConfig.builder()
            .storage(StorageType.OFF_HEAP)
            .lifespan(lifespanMillis, TimeUnit.MILLISECONDS)
            .build();
    Cache<String, String> cache = grid.createCache("c" + lifespanMillis, config);
    return cache;
  }

  @ParameterizedTest
  @ValueSource(longs = {Expiry.UNLIMITED, 86_400_000})
  void get_ofTextOffTheHeap_allocatesTheResultOnly(long lifespanMillis) {
    try (Grid grid = Grid.start()) {
      Cache<String, String> cache = cache(grid, lifespanMillis);
      cache.put("some key", "v".repeat(100));
      assertEquals("v".repeat(100), cache.get("some key"));

      assertAllocates(TEXT_BYTES, "hit", () -> cache.get("some key"));
      assertAllocates(0, "miss", () -> cache.get("some other key"));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {Expiry.UNLIMITED, 86_400_000})
  void put_ofTextOffTheHeap_allocatesTheValueBeforeOnly(long lifespanMillis) {
    try (Grid grid = Grid.start()) {
      Cache<String, String> cache = cache(grid, lifespanMillis);
      String value = "v".repeat(100);

      assertAllocates(
          TEXT_BYTES + 64,
          "put",
          () -> cache.put("some key", value)); // 64: less would be to count on the compiler
      assertEquals(value, cache.get("some key"));
    }
  }
}
