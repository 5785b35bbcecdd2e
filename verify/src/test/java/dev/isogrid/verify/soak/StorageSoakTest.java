package dev.isogrid.verify.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.MemoryUse;
import dev.isogrid.api.StorageType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two writers, two readers and a scanner on one cache for some seconds, or for {@code
 * -Dsoak.seconds}. Values carry their key, a number that rises with each write, and a checksum.
 * Each key has one writer. Keys below {@link #LASTING} are never removed.
 */
@Tag("deep")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class StorageSoakTest {
  private static final long SECONDS = Long.getLong("soak.seconds", 4);
  private static final int KEYS = 60_000;
  private static final int LASTING = 20_000;
  private static final int SEGMENTS = 8;
  private static final int HEADER_BYTES = 8 + 8 + 8;

  /** One of this many values is large. */
  private static final int LARGE_ONE_OF = 500;

  @ParameterizedTest
  @EnumSource(StorageType.class)
  void writersReadersAndScanner_forSomeTime_seeOnlyWhatWasWritten(StorageType storage)
      throws Exception {
    CacheConfig config = CacheConfig.builder().storage(storage).segments(SEGMENTS).build();
    try (Grid grid = Grid.start();
        ExecutorService threads = Executors.newFixedThreadPool(5)) {
      Cache<Long, byte[]> cache = grid.createCache("soak", config);
      for (long key = 0; key < LASTING; key++) {
        cache.put(key, value(key, 0, 100));
      }
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
      long[] numbers = new long[KEYS];
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        int number = i;
        running.add(threads.submit(() -> write(cache, number, numbers, end)));
        running.add(threads.submit(() -> read(cache, number, end)));
      }
      running.add(threads.submit(() -> scan(cache, end)));
      for (Future<?> each : running) {
        each.get(SECONDS + 60, TimeUnit.SECONDS);
      }
      checkEnd(grid, cache, numbers, storage);
    }
  }

  /** Writes the keys whose lowest bit is the writer's number; records the final numbers. */
  private static void write(Cache<Long, byte[]> cache, int writer, long[] numbers, long end) {
    SplittableRandom random = new SplittableRandom(writer);
    long number = 0;
    while (System.nanoTime() < end) {
      int key = random.nextInt(KEYS / 2) * 2 + writer;
      if (key >= LASTING && random.nextInt(3) == 0) {
        cache.remove((long) key);
        numbers[key] = -1;
      } else {
        boolean large = random.nextInt(LARGE_ONE_OF) == 0;
        int size = large ? 4_000 + random.nextInt(60_000) : random.nextInt(300);
        cache.put((long) key, value(key, ++number, size));
        numbers[key] = number;
      }
    }
  }

  private static byte[] value(long key, long number, int size) {
    ByteBuffer value = ByteBuffer.allocate(HEADER_BYTES + size).putLong(key).putLong(number);
    for (int i = 0; i < size; i++) {
      value.put(16 + 8 + i, (byte) (number + i * 7L));
    }
    value.putLong(16, checksum(value.array()));
    return value.array();
  }

  private static long checksum(byte[] value) {
    CRC32 sum = new CRC32();
    sum.update(value, 0, 16);
    sum.update(value, HEADER_BYTES, value.length - HEADER_BYTES);
    return sum.getValue();
  }

  /** Checks a value and returns its number. */
  private static long number(long key, byte[] value) {
    ByteBuffer buffer = ByteBuffer.wrap(value);
    assertEquals(key, buffer.getLong(0), "value of another key");
    assertEquals(checksum(value), buffer.getLong(16), () -> "torn value of key " + key);
    return buffer.getLong(8);
  }

  private static void read(Cache<Long, byte[]> cache, int reader, long end) {
    SplittableRandom random = new SplittableRandom(100 + reader);
    long[] seen = new long[KEYS];
    while (System.nanoTime() < end) {
      long key = random.nextInt(KEYS);
      byte[] value = cache.get(key);
      assertTrue(value != null || key >= LASTING, () -> "missed: " + key);
      if (value != null) {
        long number = number(key, value);
        assertTrue(number >= seen[(int) key], () -> "went back: " + key);
        seen[(int) key] = number;
      }
    }
  }

  private static void scan(Cache<Long, byte[]> cache, long end) {
    while (System.nanoTime() < end) {
      BitSet seen = new BitSet();
      for (Map.Entry<Long, byte[]> entry : cache.entrySet()) {
        number(entry.getKey(), entry.getValue());
        int key = Math.toIntExact(entry.getKey());
        assertTrue(!seen.get(key) || key >= LASTING, () -> "twice: " + key);
        seen.set(key);
      }
      assertEquals(LASTING, seen.get(0, LASTING).cardinality(), "missed lasting keys");
    }
  }

  private static void checkEnd(
      Grid grid, Cache<Long, byte[]> cache, long[] numbers, StorageType storage) {
    long count = LASTING;
    for (int key = LASTING; key < KEYS; key++) {
      count += numbers[key] > 0 ? 1 : 0;
    }
    assertEquals(count, cache.size());
    for (int key = 0; key < KEYS; key++) {
      byte[] value = cache.get((long) key);
      if (key < LASTING || numbers[key] > 0) {
        assertEquals(numbers[key], number(key, value == null ? new byte[HEADER_BYTES] : value));
      } else {
        assertEquals(null, value);
      }
    }
    if (storage == StorageType.OFF_HEAP) {
      MemoryUse use = cache.memoryUse();
      assertEquals(grid.offHeapUse().allocatedBytes(), use.allocatedBytes());
      assertTrue(use.deadBytes() < use.allocatedBytes() / 5, () -> "dead: " + use);
      cache.clear();
      assertEquals(0, grid.offHeapUse().reservedBytes());
    }
  }
}
