package dev.isogrid.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Grid;
import dev.isogrid.node.EmbeddedNodes;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Functions of streams that use streams. */
class NestedStreamTest {
  private static final int ENTRIES = 200;
  private static final AtomicLong COUNTED = new AtomicLong();

  private static Map<Integer, Integer> entries() {
    Map<Integer, Integer> entries = new HashMap<>();
    for (int i = 0; i < ENTRIES; i++) {
      entries.put(i, i);
    }
    return entries;
  }

  /** Gives up soon, so that a failure of the test does not take a minute. */
  private static long count(Cache<Integer, Integer> cache) {
    return cache.keySet().parallelStream()
        .timeout(10, TimeUnit.SECONDS)
        .filter(key -> key >= 0)
        .count();
  }

  @Test
  void streams_withinFunctionsOfAllThreads_end() {
    try (Grid grid = Grid.start()) {
      Cache<Integer, Integer> cache = grid.createCache("c", CacheConfig.builder().build());
      cache.putAll(entries());
      long sum = cache.values().parallelStream().mapToLong(_ -> count(cache)).sum();
      assertEquals((long) ENTRIES * ENTRIES, sum);
    }
  }

  @Test
  void streams_withinFunctionsOfAllNodes_end() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(2)) {
      Cache<Integer, Integer> cache =
          nodes
              .node(0)
              .cache("c", CacheConfig.builder().mode(CacheMode.DIST_SYNC).segments(16).build());
      cache.putAll(entries());
      COUNTED.set(0);
      cache.values().parallelStream()
          .<Integer, Integer>forEach((there, _) -> COUNTED.addAndGet(count(there)));
      assertEquals((long) ENTRIES * ENTRIES, COUNTED.get());
    }
  }
}
