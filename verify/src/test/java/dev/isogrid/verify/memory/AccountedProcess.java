package dev.isogrid.verify.memory;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.MemoryUse;
import dev.isogrid.api.OffHeapUse;
import dev.isogrid.api.StorageType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * Fills, churns and removes a cache. After each step it prints a line with all counts of memory,
 * and again for each line {@link #AGAIN} of its input. Any other line continues the program.
 */
final class AccountedProcess {
  static final String AGAIN = "again";

  private static final int KEYS = 550_000;

  /** The first round is for the JVM: the base then includes the loaded and compiled code. */
  private static final int WARMING_KEYS = 60_000;

  /** Writes of the churn per key. */
  private static final int CHURN_FACTOR = 3;

  private static final int SEGMENTS = 64;

  private final BufferedReader in =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  private final SplittableRandom random = new SplittableRandom(1);

  private AccountedProcess() {}

  /** Runs to the end. */
  public static void main(String[] arguments) throws IOException {
    AccountedProcess process = new AccountedProcess();
    try (Grid grid = Grid.start()) {
      process.run(grid, "warming", WARMING_KEYS);
      process.run(grid, "measured", KEYS);
    }
  }

  private void run(Grid grid, String name, int keys) throws IOException {
    CacheConfig config =
        CacheConfig.builder().storage(StorageType.OFF_HEAP).segments(SEGMENTS).build();
    report(name + "-base", grid, MemoryUse.NONE);
    Cache<Integer, byte[]> cache = grid.createCache(name, config);
    for (int key = 0; key < keys; key++) {
      cache.put(key, new byte[length()]);
    }
    report(name + "-filled", grid, cache.memoryUse());
    for (int i = 0; i < keys * CHURN_FACTOR; i++) {
      int key = random.nextInt(keys);
      if (random.nextInt(3) == 0) {
        cache.remove(key);
      } else {
        cache.put(key, new byte[length()]);
      }
    }
    report(name + "-churned", grid, cache.memoryUse());
    grid.removeCache(name);
    report(name + "-removed", grid, MemoryUse.NONE);
  }

  /** Mostly small; one of a hundred needs a page of its own, one of 50,000 a region of its own. */
  private int length() {
    int kind = random.nextInt(50_000);
    if (kind == 0) {
      return random.nextInt(1 << 20, 6 << 20);
    } else if (kind < 500) {
      return random.nextInt(4 << 10, 64 << 10);
    } else if (kind < 20_000) {
      return random.nextInt(200, 2_000);
    }
    return random.nextInt(20, 200);
  }

  private void report(String name, Grid grid, MemoryUse cache) throws IOException {
    do {
      OffHeapUse use = grid.offHeapUse();
      System.out.println(
          String.join(
              " ",
              name,
              String.valueOf(use.reservedBytes()),
              String.valueOf(use.allocatedBytes()),
              String.valueOf(cache.allocatedBytes()),
              String.valueOf(processBytes())));
    } while (AGAIN.equals(in.readLine()));
  }

  /** The private memory of this process, and its share of shared memory. */
  private static long processBytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/smaps_rollup")).stream()
        .filter(line -> line.startsWith("Pss:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
        .findFirst()
        .orElseThrow();
  }
}
