package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEvent;
import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.WhenFull;
import dev.isogrid.base.FakeEnv;
import dev.isogrid.base.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bounds for every storage. */
class BoundedCacheTest {
  private static final long OFF_HEAP_LIMIT = 8 << 20;
  private static final int THREADS = 4;

  private final FakeEnv env = new FakeEnv();
  private final Node node =
      Node.start(GridConfig.builder().offHeapMax(OFF_HEAP_LIMIT).build(), env.env());

  @AfterEach
  void close() {
    node.close();
  }

  private static CacheConfig.Builder config(StorageType storage) {
    return CacheConfig.builder().storage(storage).statistics(true);
  }

  private <V> Cache<String, V> cache(CacheConfig.Builder config) {
    return node.createCache("c", config.build());
  }

  private static long evictions(Cache<?, ?> cache) {
    return Objects.requireNonNull(cache.stats()).evictions();
  }

  // max-count

  @ParameterizedTest
  @EnumSource
  void put_overMaxCount_evictsOneForEach(StorageType storage) {
    Cache<String, String> cache = cache(config(storage).maxCount(100));
    for (int i = 0; i < 1000; i++) {
      cache.put("k" + i, "v");
      assertTrue(cache.size() <= 100, "size=" + cache.size());
      assertEquals("v", cache.get("k" + i), "what was just written is there");
    }

    assertEquals(100, cache.size());
    assertEquals(900, evictions(cache));
  }

  @ParameterizedTest
  @EnumSource
  void put_overTinyMaxCount_keepsTheLatest(StorageType storage) {
    Cache<String, String> cache = cache(config(storage).maxCount(1));
    for (int i = 0; i < 50; i++) {
      cache.put("k" + i, "v");
      assertEquals(List.of("k" + i), List.copyOf(cache.keySet()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void put_overTinyMaxCountManyTimes_findsTheOtherEntryWhereverItIs(StorageType storage) {
    for (int max = 1; max <= 2; max++) {
      Cache<String, String> cache =
          node.createCache("max" + max, config(storage).segments(32).maxCount(max).build());
      for (int i = 0; i < 5_000; i++) {
        cache.put("k" + i, "v");
        assertTrue(cache.size() <= max, "size=" + cache.size() + ", i=" + i);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void put_bySeveralThreads_staysWithinTheBound(StorageType storage) throws Exception {
    Cache<String, String> cache = cache(config(storage).maxCount(500).segments(16));
    AtomicLong worst = new AtomicLong();
    inThreads(thread -> {
      for (int i = 0; i < 5000; i++) {
        cache.put(thread + "-" + i, "v");
        worst.accumulateAndGet(cache.size(), Math::max);
      }
    });

    // size() adds one segment after another up, and entries come and go in between.
    assertTrue(worst.get() <= 500 + 10 * THREADS, "worst=" + worst);
    assertTrue(cache.size() <= 500, "size=" + cache.size());
    assertTrue(cache.size() >= 500 - THREADS, "size=" + cache.size());
    assertEquals(THREADS * 5000L - cache.size(), evictions(cache));
  }

  private interface Work {
    void of(int thread) throws Exception;
  }

  private static void inThreads(Work work) throws Exception {
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                try {
                  work.of(thread);
                } catch (Exception | AssertionError failure) {
                  failures.add(failure);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(List.of(), List.copyOf(failures));
  }

  @ParameterizedTest
  @EnumSource
  void put_fromComputeFunctionOverTheBound_evictsElsewhere(StorageType storage) {
    Cache<String, String> cache = cache(config(storage).maxCount(100));
    for (int i = 0; i < 300; i++) {
      cache.put("k" + i, "v");
    }
    String other = "other";
    cache.compute(
        "computed",
        (_, _) -> {
          try {
            cache.put(other, "v");
          } catch (IllegalStateException sameSegment) {
            assertTrue(String.valueOf(sameSegment.getMessage()).contains("recursive"));
          }
          return "v";
        });

    assertEquals("v", cache.get("computed"));
    assertEquals(100, cache.size());
  }

  @ParameterizedTest
  @EnumSource
  void put_overMaxCount_tellsOfEvictionsWithOldValues(StorageType storage) {
    Cache<String, String> cache = cache(config(storage).maxCount(10).segments(1));
    List<CacheEvent<? extends String, ? extends String>> events = new ArrayList<>();
    cache.addListener(events::add);
    for (int i = 0; i < 30; i++) {
      cache.put("k" + i, "v" + i);
    }

    List<CacheEvent<? extends String, ? extends String>> evicted =
        events.stream().filter(event -> event.kind() == CacheEvent.Kind.EVICTED).toList();
    assertEquals(20, evicted.size());
    long version = 0;
    for (CacheEvent<? extends String, ? extends String> event : events) {
      assertTrue(event.version() > version, "in the order of versions");
      version = event.version();
    }
    for (CacheEvent<? extends String, ? extends String> event : evicted) {
      assertEquals("v" + event.key().substring(1), event.oldValue());
      assertNull(event.value());
      assertNull(cache.get(event.key()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void put_overTheBoundWithExpiredEntries_countsThemAsExpired(StorageType storage) {
    Cache<String, String> cache = cache(config(storage).maxCount(100));
    for (int i = 0; i < 100; i++) {
      cache.put("old" + i, "v", Expiry.lifespan(10, TimeUnit.MILLISECONDS));
    }
    env.moveClock(10);
    for (int i = 0; i < 10; i++) {
      cache.put("new" + i, "v");
      cache.get("new" + i);
    }

    long expirations = Objects.requireNonNull(cache.stats()).expirations();
    assertEquals(10, expirations + evictions(cache));
    assertTrue(expirations > 0, "expirations=" + expirations);
  }

  @ParameterizedTest
  @EnumSource
  void get_ofHotKeys_keepsThemThroughAScan(StorageType storage) {
    Seeds.runFirst(
        3,
        random -> {
          Cache<Integer, Integer> cache =
              node.createCache("s", config(storage).maxCount(1000).build());
          int first = random.nextInt();
          for (int round = 0; round < 5; round++) {
            for (int i = 0; i < 500; i++) {
              ask(cache, first + i);
            }
          }
          for (int i = 0; i < 10_000; i++) {
            ask(cache, first + 1_000_000 + i);
          }
          int kept = 0;
          for (int i = 0; i < 500; i++) {
            kept += cache.get(first + i) != null ? 1 : 0;
          }
          node.removeCache("s");
          assertTrue(kept > 450, "kept=" + kept);
        });
  }

  private static void ask(Cache<Integer, Integer> cache, int key) {
    if (cache.get(key) == null) {
      cache.put(key, key);
    }
  }

  // EXCEPTION

  @ParameterizedTest
  @EnumSource
  void put_whenFull_isRefusedAndChangesNothing(StorageType storage) {
    Cache<String, String> cache = cache(config(storage).maxCount(10).whenFull(WhenFull.EXCEPTION));
    List<Object> events = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      cache.put("k" + i, "v");
    }
    cache.addListener(events::add);

    CacheFullException refusal =
        assertThrows(CacheFullException.class, () -> cache.put("one more", "v"));

    String message = String.valueOf(refusal.getMessage());
    assertTrue(message.contains("cache=c, max-count=10, entries=10"), message);
    assertNull(cache.get("one more"));
    assertEquals(10, cache.size());
    assertEquals(List.of(), events);
    cache.put("k1", "replaced");
    cache.remove("k2");
    cache.put("one more", "v");
    assertEquals("replaced", cache.get("k1"));
    assertEquals(10, cache.size());
    assertEquals(0, evictions(cache));
  }

  @ParameterizedTest
  @EnumSource
  void put_bySeveralThreadsWhenFull_isRefusedExactlyAtTheBound(StorageType storage)
      throws Exception {
    Cache<String, String> cache =
        cache(config(storage).maxCount(1000).whenFull(WhenFull.EXCEPTION));
    AtomicInteger refused = new AtomicInteger();
    inThreads(thread -> {
      for (int i = 0; i < 1000; i++) {
        try {
          cache.put(thread + "-" + i, "v");
        } catch (CacheFullException full) {
          refused.incrementAndGet();
        }
      }
    });

    assertEquals(1000, cache.size());
    assertEquals(THREADS * 1000 - 1000, refused.get());
  }

  @ParameterizedTest
  @EnumSource
  void put_whenFullOfExpiredEntriesOfItsSegment_isDone(StorageType storage) {
    Cache<String, String> cache =
        cache(config(storage).maxCount(10).segments(1).whenFull(WhenFull.EXCEPTION));
    for (int i = 0; i < 10; i++) {
      cache.put("k" + i, "v", Expiry.lifespan(10, TimeUnit.MILLISECONDS));
    }
    env.moveClock(10);

    cache.put("new", "v");

    assertEquals(1, cache.size());
  }

  @ParameterizedTest
  @EnumSource
  void put_overMaxSizeWhenFull_isRefusedWithinTheBound(StorageType storage) {
    long max = 1 << 20;
    Cache<String, byte[]> cache =
        cache(config(storage).segments(4).maxSize(max).whenFull(WhenFull.EXCEPTION));
    int[] stored = {0};
    CacheFullException refusal =
        assertThrows(
            CacheFullException.class,
            () -> {
              for (; stored[0] < 100_000; stored[0]++) {
                cache.put("k" + stored[0], new byte[200]);
              }
            });

    assertTrue(String.valueOf(refusal.getMessage()).contains("max-size=" + max));
    assertEquals(stored[0], cache.size());
    assertTrue(stored[0] > 2000, "stored=" + stored[0]);
    long allocated = cache.memoryUse().allocatedBytes();
    assertTrue(allocated <= max, "allocated=" + allocated);
    cache.put("k1", new byte[100]);
    assertEquals(100, Objects.requireNonNull(cache.get("k1")).length);
  }

  @ParameterizedTest
  @EnumSource
  void put_whoseIndexWouldGrowOverMaxSizeWhenFull_isRefused(StorageType storage) {
    for (long max = 600_000; max < 1_300_000; max += 30_000) {
      CacheConfig.Builder config = config(storage).maxSize(max).whenFull(WhenFull.EXCEPTION);
      Cache<String, byte[]> cache = node.createCache("max" + max, config.segments(1).build());
      assertThrows(
          CacheFullException.class,
          () -> {
            for (int i = 0; i < 100_000; i++) {
              cache.put("k" + i, new byte[10]);
            }
          });

      long allocated = cache.memoryUse().allocatedBytes();
      assertTrue(allocated <= max, "max=" + max + ", allocated=" + allocated);
      node.removeCache(cache.name());
    }
  }

  // max-size

  @ParameterizedTest
  @EnumSource
  void put_overMaxSize_staysWithinIt(StorageType storage) {
    Seeds.run(
        3,
        random -> {
          long max = 1 << 20;
          Cache<String, byte[]> cache =
              node.createCache("s", config(storage).segments(4).maxSize(max).build());
          long worst = 0;
          for (int i = 0; i < 40_000; i++) {
            cache.put("k" + random.nextInt(20_000), new byte[random.nextInt(600)]);
            if (i % 100 == 0) {
              worst = Math.max(worst, cache.memoryUse().allocatedBytes());
            }
          }
          long entries = cache.size();
          node.removeCache("s");
          assertTrue(worst <= max, "worst=" + worst);
          assertTrue(worst > max * 3 / 4, "worst=" + worst);
          assertTrue(entries > 2000, "entries=" + entries);
        });
  }

  @ParameterizedTest
  @EnumSource
  void put_ofValueLargerThanMaxSize_isRefusedAndEvictsNothing(StorageType storage) {
    Cache<String, byte[]> cache = cache(config(storage).maxSize(1 << 20));
    cache.put("a", new byte[100]);

    assertThrows(CacheFullException.class, () -> cache.put("b", new byte[2 << 20]));

    assertNotNull(cache.get("a"));
    assertEquals(0, evictions(cache));
  }

  @Test
  void put_ofObjectThatCannotBeMeasured_isRefusedByMaxSizeOnly() {
    Cache<String, Object> bySize = cache(config(StorageType.HEAP_OBJECT).maxSize(1 << 20));
    Cache<String, Object> byCount =
        node.createCache("d", config(StorageType.HEAP_OBJECT).maxCount(10).build());

    InvalidRequestException refusal =
        assertThrows(InvalidRequestException.class, () -> bySize.put("a", List.of()));

    assertTrue(String.valueOf(refusal.getMessage()).contains("max-count"));
    assertEquals(0, bySize.size());
    byCount.put("a", List.of());
    assertEquals(1, byCount.size());
  }

  // The node's limit

  @Test
  void put_withoutMemory_evictsInABoundedCache() {
    Cache<String, byte[]> cache = cache(config(StorageType.OFF_HEAP).segments(4).maxCount(1 << 20));
    for (int i = 0; i < 40_000; i++) {
      cache.put("k" + i, new byte[500]);
      assertNotNull(cache.get("k" + i));
    }

    assertTrue(evictions(cache) > 20_000, "evictions=" + evictions(cache));
    assertEquals(40_000 - evictions(cache), cache.size());
    assertTrue(node.offHeapUse().reservedBytes() <= OFF_HEAP_LIMIT);
    assertTrue(cache.size() > 8_000, "size=" + cache.size());
  }

  @Test
  void put_withoutMemory_isRefusedInAnUnboundedCacheAndTellsNobody() {
    Cache<String, byte[]> cache = cache(config(StorageType.OFF_HEAP).segments(4));
    AtomicInteger told = new AtomicInteger();
    cache.addListener(_ -> told.incrementAndGet());
    int[] stored = {0};
    CacheFullException refusal =
        assertThrows(
            CacheFullException.class,
            () -> {
              for (; stored[0] < 40_000; stored[0]++) {
                cache.put("k" + stored[0], new byte[500]);
              }
            });

    assertTrue(String.valueOf(refusal.getMessage()).contains("off-heap limit"));
    assertEquals(stored[0], cache.size());
    assertEquals(stored[0], told.get());
    assertNull(cache.get("k" + stored[0]));
  }

  @Test
  void put_ofLargeValueWithListener_tellsTheOldOne() {
    Cache<String, byte[]> cache = cache(config(StorageType.OFF_HEAP));
    List<byte[]> old = new ArrayList<>();
    byte[] first = new byte[100_000];
    first[99_999] = 7;
    cache.put("a", first);
    cache.addListener(event -> old.add(Objects.requireNonNull(event.oldValue())));

    cache.put("a", new byte[200_000]);
    cache.put("a", new byte[1]);

    assertEquals(2, old.size());
    assertEquals(7, old.getFirst()[99_999]);
    assertEquals(200_000, old.get(1).length);
  }
}
