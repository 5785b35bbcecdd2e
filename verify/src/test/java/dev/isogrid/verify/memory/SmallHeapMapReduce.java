package dev.isogrid.verify.memory;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Collector;
import dev.isogrid.api.Grid;
import dev.isogrid.api.MapReduceJob;
import dev.isogrid.api.MapReduceStats;
import dev.isogrid.api.StorageType;

/**
 * Runs a map/reduce over entries that take a third of the heap and whose pairs take three times the
 * heap. Prints a line with a name and a number for each count.
 */
final class SmallHeapMapReduce {
  static final int HEAP_MEGABYTES = 128;

  /** The size of a value, and nearly that of an entry. */
  static final int VALUE_BYTES = 8_000;

  /** Entries that take 31 % of the heap. */
  static final int ENTRIES = HEAP_MEGABYTES * (1 << 20) / VALUE_BYTES * 31 / 100 / 2 * 2;

  static final int KEYS_PER_ENTRY = 640;

  /** The number of entries that emit the same key. */
  static final int SHARING = 2;

  private static final String PADDING = "x".repeat(110);

  private SmallHeapMapReduce() {}

  /** Runs to the end. */
  public static void main(String[] arguments) {
    try (Grid grid = Grid.start()) {
      Cache<Integer, byte[]> cache =
          grid.cache("values", CacheConfig.builder().storage(StorageType.HEAP_BINARY).build());
      for (int i = 0; i < ENTRIES; i++) {
        cache.put(i, new byte[VALUE_BYTES]);
      }
      HeapWatch watch = new HeapWatch();
      MapReduceJob<String, Long> job =
          grid.mapReduce(cache).mappedWith(SmallHeapMapReduce::map).combinedWith(Long::sum).start();
      long[] found = new long[2];
      job.forEach((_, value) -> {
        found[0]++;
        found[1] += value;
      });
      watch.awaitAll();
      MapReduceStats stats = job.stats();
      print("keys", found[0]);
      print("sum", found[1]);
      print("heapBytes", Runtime.getRuntime().maxMemory());
      print("inputBytes", stats.inputBytes());
      print("pairBytes", stats.bytesSent());
      print("spilledBytes", stats.bytesSpilled());
      print("usedBytesMax", watch.usedBytesMax());
      print("leftBytesMax", watch.leftBytesMax());
      print("fullMillisMax", watch.fullMillisMax());
      print("pauseMillisMax", watch.pauseMillisMax());
      print("millis", stats.mapMillis() + stats.reduceMillis());
    }
  }

  private static void print(String name, long number) {
    System.out.println(name + " " + number);
  }

  private static void map(Integer key, byte[] value, Collector<String, Long> out) {
    for (int i = 0; i < KEYS_PER_ENTRY; i++) {
      out.emit(key / SHARING + "-" + (i + value[i]) + PADDING, 1L);
    }
  }
}
