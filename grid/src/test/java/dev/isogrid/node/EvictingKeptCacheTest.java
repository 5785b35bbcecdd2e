package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.FileStore;
import dev.isogrid.api.Fsync;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Env;
import dev.isogrid.testkit.Await;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Local caches that have more entries in their store than in memory. */
class EvictingKeptCacheTest {
  private static final int ENTRIES_IN_MEMORY = 20;

  @TempDir private Path folder;

  private final AtomicLong nowMillis = new AtomicLong(1_900_000_000_000L);

  private Env env() {
    Env system = Env.system();
    return new Env(system.nanoClock(), nowMillis::get, system.random(), system.scheduler());
  }

  private static CacheConfig config(StorageType storage) {
    return CacheConfig.builder()
        .storage(storage)
        .segments(4)
        .maxCount(ENTRIES_IN_MEMORY)
        .statistics(true)
        .fileStore(FileStore.builder().fsync(Fsync.NONE).build())
        .build();
  }

  private void run(StorageType storage, Consumer<Cache<String, String>> use) {
    GridConfig grid = GridConfig.builder().dataFolder(folder).build();
    try (Node node = Node.start(grid, env())) {
      use.accept(node.createCache("orders", config(storage)));
    }
  }

  @ParameterizedTest
  @EnumSource(StorageType.class)
  void entries_beyondTheBound_areReadFromTheDisk(StorageType storage) {
    run(
        storage,
        cache -> {
          for (int i = 0; i < 200; i++) {
            cache.put("key-" + i, "value-" + i);
          }
          for (int i = 0; i < 200; i++) {
            assertEquals("value-" + i, cache.get("key-" + i));
          }
          assertNull(cache.get("other"));
          assertEquals(200, cache.size());
          Await.until("evictions", () -> cache.stats().evictions() >= 180);
        });
    run(
        storage,
        cache -> {
          assertEquals(200, cache.size());
          for (int i = 199; i >= 0; i--) {
            assertEquals("value-" + i, cache.get("key-" + i));
          }
        });
  }

  @Test
  void writes_fasterThanTheDiskWithLittleMemory_findRoomWhenItHasCaughtUp() {
    GridConfig grid = GridConfig.builder().dataFolder(folder).offHeapMax(6 << 20).build();
    CacheConfig config =
        config(StorageType.OFF_HEAP).toBuilder().maxCount(-1).maxSize(4 << 20).build();
    String value = "v".repeat(1000);
    try (Node node = Node.start(grid, env())) {
      Cache<Integer, String> cache = node.createCache("orders", config);
      for (int i = 0; i < 30_000; i++) {
        cache.put(i, value);
      }
      assertEquals(30_000, cache.size());
      for (int i = 0; i < 30_000; i += 100) {
        assertEquals(value, cache.get(i));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(StorageType.class)
  void listeners_hearOfEvictionsAndOfAClear_andMayWrite(StorageType storage) {
    run(
        storage,
        cache -> {
          AtomicInteger evicted = new AtomicInteger();
          Set<String> removed = ConcurrentHashMap.newKeySet();
          cache.addListener(event -> {
            switch (event.kind()) {
              case EVICTED -> {
                if (evicted.incrementAndGet() == 1) {
                  cache.put("by the listener", "value");
                }
              }
              case REMOVED -> removed.add(event.key());
              default -> {}
            }
          });
          Set<String> expected = new HashSet<>(Set.of("by the listener"));
          for (int i = 0; i < 100; i++) {
            cache.put("key-" + i, "value-" + i);
            expected.add("key-" + i);
          }
          Await.until("evictions", () -> evicted.get() >= 80);
          Await.until("the listener", () -> cache.size() == 101);
          cache.clear();
          assertEquals(0, cache.size());
          Await.until("removals", () -> removed.equals(expected));
        });
    run(storage, cache -> assertEquals(Map.of(), new TreeMap<>(cache)));
  }

  @ParameterizedTest
  @EnumSource(StorageType.class)
  void anyOperations_withRestarts_areThoseOfAMap(StorageType storage) {
    Random random = new Random(11);
    Map<String, String> model = new TreeMap<>();
    for (int life = 0; life < 4; life++) {
      run(
          storage,
          cache -> {
            assertEquals(model, new TreeMap<>(cache));
            for (int i = 0; i < 2000; i++) {
              CacheBesideMap.operate(cache, model, random);
              if (random.nextInt(500) == 0) {
                compare(cache, model);
              }
            }
            compare(cache, model);
          });
    }
  }

  private static void compare(Cache<String, String> cache, Map<String, String> model) {
    assertEquals(model.size(), cache.size());
    assertEquals(model, new TreeMap<>(cache));
    assertEquals(model.keySet(), new TreeSet<>(cache.keySet()));
    assertEquals(model.size(), cache.entrySet().stream().count());
    Set<String> keys = new HashSet<>(model.keySet());
    keys.add("other");
    assertEquals(model, new TreeMap<>(cache.getAll(keys)));
  }

  @ParameterizedTest
  @EnumSource(StorageType.class)
  void size_whenLifespansEndOnTheDisk_isThatOfTheRest(StorageType storage) {
    run(
        storage,
        cache -> {
          for (int i = 0; i < 100; i++) {
            cache.put("key-" + i, "value-" + i, i % 2 == 0 ? 10 : 50, TimeUnit.SECONDS);
          }
          cache.put("immortal", "value");
          nowMillis.addAndGet(20_000);
          assertEquals(51, cache.size());
          assertEquals(51, cache.keySet().stream().count());
          assertEquals(50, cache.stats().expirations());
        });
    run(
        storage,
        cache -> {
          assertEquals(51, cache.size());
          nowMillis.addAndGet(40_000);
          assertEquals(1, cache.size());
          assertEquals("value", cache.get("immortal"));
        });
  }

  @ParameterizedTest
  @EnumSource(StorageType.class)
  void entry_whoseLifespanEndsOnTheDisk_isGone(StorageType storage) {
    run(
        storage,
        cache -> {
          cache.put("mortal", "value", 10, TimeUnit.SECONDS);
          cache.put("touched", "value", 30, TimeUnit.SECONDS);
          for (int i = 0; i < 100; i++) {
            cache.put("key-" + i, "value-" + i);
          }
          nowMillis.addAndGet(9_000);
          assertEquals("value", cache.get("mortal"));
          for (int i = 0; i < 100; i++) {
            cache.put("key-" + i, "other-" + i);
          }
          nowMillis.addAndGet(2_000);
          assertNull(cache.get("mortal"));
          assertEquals("value", cache.get("touched"));
        });
    run(
        storage,
        cache -> {
          assertNull(cache.get("mortal"));
          assertEquals("value", cache.get("touched"));
          nowMillis.addAndGet(30_000);
          assertNull(cache.get("touched"));
          assertEquals(100, cache.size());
        });
  }
}
