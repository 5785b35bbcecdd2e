package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEvent;
import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.OffHeapUse;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.WhenFull;
import dev.isogrid.base.FakeEnv;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Writers that fill the off-heap memory of a node up to its limit, all at once. Each key has one
 * writer, who knows which of its writes was acknowledged last; values carry their key, a number and
 * a checksum.
 */
class FullMemoryTest {
  private static final long LIMIT_BYTES = 24 << 20;
  private static final int WRITERS = 4;
  private static final int KEYS_PER_WRITER = 20_000;
  private static final int WRITES = 60_000;
  private static final int HEADER_BYTES = 4 + 4 + 8;

  /** In {@link Writer#numbers}: the writer removed the key, or never wrote it. */
  private static final int NONE = 0;

  private final Node node =
      Node.start(GridConfig.builder().offHeapMax(LIMIT_BYTES).build(), new FakeEnv().env());

  @AfterEach
  void close() {
    node.close();
  }

  /** A thread with its writes, and its knowledge of their results. */
  private final class Writer {
    final int first;
    final int[] numbers = new int[KEYS_PER_WRITER];
    final Cache<Integer, byte[]> cache;
    long refused;

    Writer(Cache<Integer, byte[]> cache, int index) {
      this.cache = cache;
      this.first = index * KEYS_PER_WRITER;
    }

    void write() {
      SplittableRandom random = new SplittableRandom(first);
      for (int number = 1; number <= WRITES; number++) {
        int index = random.nextInt(KEYS_PER_WRITER);
        if (random.nextInt(6) == 0) {
          cache.remove(first + index);
          numbers[index] = NONE;
        } else {
          try {
            cache.put(first + index, value(first + index, number, length(random)));
            numbers[index] = number;
          } catch (CacheFullException full) {
            refused++;
          }
        }
        OffHeapUse use = node.offHeapUse();
        assertTrue(use.reservedBytes() <= LIMIT_BYTES, use::toString);
        assertTrue(use.allocatedBytes() <= use.reservedBytes(), use::toString);
      }
    }
  }

  private static int length(SplittableRandom random) {
    return switch (random.nextInt(1_000)) {
      case 0 -> random.nextInt(200_000, 1_500_000);
      case 1, 2, 3, 4, 5 -> random.nextInt(4_000, 40_000);
      default -> random.nextInt(600);
    };
  }

  private static byte[] value(int key, int number, int length) {
    ByteBuffer value = ByteBuffer.allocate(HEADER_BYTES + length).putInt(key).putInt(number);
    for (int i = HEADER_BYTES; i < value.capacity(); i++) {
      value.put(i, (byte) (number + i * 7));
    }
    value.putLong(8, checksum(value.array()));
    return value.array();
  }

  private static long checksum(byte[] value) {
    CRC32 sum = new CRC32();
    sum.update(value, 0, 8);
    sum.update(value, HEADER_BYTES, value.length - HEADER_BYTES);
    return sum.getValue();
  }

  /** The number of a value of a key. */
  private static int number(int key, byte[] value) {
    ByteBuffer buffer = ByteBuffer.wrap(value);
    assertEquals(key, buffer.getInt(0), "value of another key");
    assertEquals(checksum(value), buffer.getLong(8), () -> "torn value of key " + key);
    return buffer.getInt(4);
  }

  private Cache<Integer, byte[]> cache(String name, CacheConfig.Builder config) {
    return node.createCache(name, config.storage(StorageType.OFF_HEAP).segments(16).build());
  }

  private List<Writer> run(List<Cache<Integer, byte[]>> caches) throws Exception {
    List<Writer> writers = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        Writer writer = new Writer(caches.get(i % caches.size()), i);
        writers.add(writer);
        running.add(threads.submit(writer::write));
      }
      for (Future<?> each : running) {
        each.get(120, TimeUnit.SECONDS);
      }
    }
    return writers;
  }

  private void checkMemory(List<Cache<Integer, byte[]>> caches) {
    long sum = 0;
    for (Cache<Integer, byte[]> cache : caches) {
      sum += cache.memoryUse().allocatedBytes();
    }
    assertEquals(sum, node.offHeapUse().allocatedBytes());
    caches.forEach(Cache::clear);
    assertEquals(0, node.offHeapUse().reservedBytes());
  }

  @Test
  void put_bySeveralWritersWithoutBound_keepsAllThatWasAcknowledged() throws Exception {
    checkKeepsAll(cache("c", CacheConfig.builder()));
  }

  @Test
  void put_bySeveralWritersWhenFullIsException_keepsAllThatWasAcknowledged() throws Exception {
    checkKeepsAll(cache("c", CacheConfig.builder().maxCount(1 << 20).whenFull(WhenFull.EXCEPTION)));
  }

  private void checkKeepsAll(Cache<Integer, byte[]> cache) throws Exception {
    List<Writer> writers = run(List.of(cache));

    long present = 0;
    for (Writer writer : writers) {
      assertTrue(writer.refused > 0, "never full");
      for (int i = 0; i < KEYS_PER_WRITER; i++) {
        int key = writer.first + i;
        byte[] value = cache.get(key);
        if (writer.numbers[i] == NONE) {
          assertNull(value);
        } else {
          assertEquals(writer.numbers[i], number(key, Objects.requireNonNull(value)));
          present++;
        }
      }
    }
    assertEquals(present, cache.size());
    checkMemory(List.of(cache));
  }

  @Test
  void put_bySeveralWritersWhenFullIsRemove_losesOnlyWhatWasEvicted() throws Exception {
    Cache<Integer, byte[]> cache =
        cache("c", CacheConfig.builder().maxCount(1 << 20).whenFull(WhenFull.REMOVE));
    Map<Integer, Integer> evicted = new ConcurrentHashMap<>();
    cache.addListener(event -> {
      if (event.kind() == CacheEvent.Kind.EVICTED) {
        int number = number(event.key(), Objects.requireNonNull(event.oldValue()));
        evicted.put(event.key(), number);
      }
    });

    List<Writer> writers = run(List.of(cache));

    assertTrue(evicted.size() > 0, "never full");
    for (Writer writer : writers) {
      for (int i = 0; i < KEYS_PER_WRITER; i++) {
        int key = writer.first + i;
        byte[] value = cache.get(key);
        if (writer.numbers[i] == NONE) {
          assertNull(value);
        } else if (value != null) {
          assertEquals(writer.numbers[i], number(key, value));
        } else {
          assertEquals(writer.numbers[i], evicted.get(key), () -> "lost: " + key);
        }
      }
    }
    checkMemory(List.of(cache));
  }

  @Test
  void put_byWritersOfBothKinds_shareTheLimit() throws Exception {
    Cache<Integer, byte[]> refusing =
        cache("refusing", CacheConfig.builder().maxCount(1 << 20).whenFull(WhenFull.EXCEPTION));
    Cache<Integer, byte[]> removing =
        cache("removing", CacheConfig.builder().maxCount(1 << 20).whenFull(WhenFull.REMOVE));

    List<Writer> writers = run(List.of(refusing, removing));

    for (Writer writer : writers) {
      for (int i = 0; i < KEYS_PER_WRITER; i++) {
        int key = writer.first + i;
        byte[] value = writer.cache.get(key);
        boolean mayBeEvicted = writer.cache.name().equals("removing");
        if (writer.numbers[i] == NONE) {
          assertNull(value);
        } else if (value != null) {
          assertEquals(writer.numbers[i], number(key, value));
        } else {
          assertTrue(mayBeEvicted, () -> "lost: " + key);
        }
      }
    }
    checkMemory(List.of(refusing, removing));
  }
}
