package dev.isogrid.verify.memory;

import dev.isogrid.api.Cache;
import dev.isogrid.api.Collector;
import dev.isogrid.api.Grid;
import dev.isogrid.api.MapReduceJob;

/**
 * Runs a map/reduce whose pairs take several times the heap, and prints how many keys came out, the
 * sum of their values, and the bytes that went to disk.
 */
final class SmallHeapMapReduce {
  static final int ENTRIES = 400;
  static final int KEYS_PER_ENTRY = 4_000;

  /** Each key is emitted by two entries. */
  static final int SHARING = 2;

  private static final String PADDING = "x".repeat(100);

  private SmallHeapMapReduce() {}

  /** Runs to the end. */
  public static void main(String[] arguments) {
    try (Grid grid = Grid.start()) {
      Cache<Integer, Integer> cache = grid.cache("seeds");
      for (int i = 0; i < ENTRIES; i++) {
        cache.put(i, i / SHARING);
      }
      MapReduceJob<String, Long> job =
          grid.mapReduce(cache).mappedWith(SmallHeapMapReduce::map).combinedWith(Long::sum).start();
      long[] found = new long[2];
      job.forEach((_, value) -> {
        found[0]++;
        found[1] += value;
      });
      System.out.printf("%d %d %d%n", found[0], found[1], job.stats().bytesSpilled());
    }
  }

  private static void map(Integer key, Integer seed, Collector<String, Long> out) {
    for (int i = 0; i < KEYS_PER_ENTRY; i++) {
      out.emit(seed + "-" + i + PADDING, 1L);
    }
  }
}
