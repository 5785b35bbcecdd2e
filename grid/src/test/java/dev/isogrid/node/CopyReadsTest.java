package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Expiry;
import dev.isogrid.testkit.Await;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Reads that a node answers by its own copy, though it is not the primary. */
class CopyReadsTest {
  private static final int WRITES = 3000;
  private static final int KEYS = 50;

  /** Shared by all tests. */
  private static @Nullable EmbeddedNodes shared;

  @BeforeAll
  static void start() throws Exception {
    shared = EmbeddedNodes.start(3);
  }

  @AfterAll
  static void close() {
    requireNonNull(shared).close();
  }

  /** The cache on each node, when all have their copies. */
  private static List<Cache<String, String>> caches(String name, CacheConfig config)
      throws Exception {
    List<Cache<String, String>> caches = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      caches.add(requireNonNull(shared).node(i).cache(name, config));
    }
    caches.getFirst().put("first", "x");
    return caches;
  }

  private static CacheConfig.Builder replicated() {
    return CacheConfig.builder().mode(CacheMode.REPL_SYNC).segments(16);
  }

  private static boolean mayWait(Cache<String, String> cache, String key) {
    return ((EmbeddedCache<String, String, ?, ?>) cache).mayWait(key, true);
  }

  private static long waiting(List<Cache<String, String>> caches, String key) {
    return caches.stream().filter(cache -> mayWait(cache, key)).count();
  }

  @Test
  void entryThatIsCommitted_isReadOnAllNodesWithoutThePrimary() throws Exception {
    List<Cache<String, String>> caches = caches("plain", replicated().build());
    caches.get(1).put("k", "v");
    Await.until("all know it", () -> waiting(caches, "k") == 0);
    for (Cache<String, String> cache : caches) {
      assertEquals("v", cache.get("k"));
      assertNull(cache.get("no " + cache.size()));
    }
  }

  @Test
  void asyncCache_isReadAtThePrimary() throws Exception {
    List<Cache<String, String>> caches =
        caches("async", replicated().mode(CacheMode.REPL_ASYNC).build());
    caches.get(1).put("k", "v");
    Await.until("one serves it", () -> waiting(caches, "k") == 2);
    for (Cache<String, String> cache : caches) {
      assertEquals("v", cache.get("k"));
    }
  }

  @Test
  void entryThatMayExpire_isReadAtThePrimary() throws Exception {
    List<Cache<String, String>> caches = caches("mortal", replicated().build());
    caches.get(0).put("k", "v", Expiry.lifespan(1, TimeUnit.HOURS));
    Await.until("one serves it", () -> waiting(caches, "k") == 2);
    for (Cache<String, String> cache : caches) {
      assertEquals("v", cache.get("k"));
    }
    caches.get(0).put("k", "w");
    Await.until("all know it", () -> waiting(caches, "k") == 0);
    for (Cache<String, String> cache : caches) {
      assertEquals("w", cache.get("k"));
    }
  }

  @Test
  void absenceInABoundedCache_isReadAtThePrimary() throws Exception {
    List<Cache<String, String>> caches = caches("bounded", replicated().maxCount(100).build());
    caches.get(0).put("k", "v");
    Await.until("one serves it", () -> waiting(caches, "k") == 2);
    for (Cache<String, String> cache : caches) {
      assertEquals("v", cache.get("k"));
      assertNull(cache.get("none"));
    }
  }

  /** Nodes that read by themselves must not be behind what a writer was told to be done. */
  @Test
  void readsDuringWrites_areNeverOld() throws Exception {
    List<Cache<String, String>> caches = caches("counted", replicated().segments(1).build());
    caches.getFirst().put("k", "0");
    Await.until("all know it", () -> waiting(caches, "k") == 0);
    AtomicInteger done = new AtomicInteger();
    AtomicInteger near = new AtomicInteger();
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      List<Future<?>> readers = new ArrayList<>();
      for (int node = 1; node < 3; node++) {
        Cache<String, String> cache = caches.get(node);
        readers.add(
            threads.submit(() -> {
              int last = 0;
              while (last < WRITES) {
                int atLeast = Math.max(last, done.get());
                near.addAndGet(mayWait(cache, "k") ? 0 : 1);
                last = Integer.parseInt(requireNonNull(cache.get("k")));
                assertTrue(last >= atLeast, () -> "read what was written before " + atLeast);
              }
            }));
      }
      for (int i = 1; i <= WRITES; i++) {
        caches.get(i % 3).put("k", String.valueOf(i));
        done.set(i);
      }
      for (Future<?> reader : readers) {
        reader.get(120, TimeUnit.SECONDS);
      }
    }
    assertTrue(near.get() > 0, "no read was answered by a copy");
  }

  /** The same for walks, which show all of a segment as it is at some moment or later. */
  @Test
  void walksDuringWrites_areNeverOld_andShowEachEntryOnce() throws Exception {
    List<Cache<String, String>> caches = caches("walked", replicated().segments(4).build());
    for (int key = 0; key < KEYS; key++) {
      caches.getFirst().put("k" + key, "0");
    }
    AtomicIntegerArray done = new AtomicIntegerArray(KEYS);
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      List<Future<?>> readers = new ArrayList<>();
      for (int node = 1; node < 3; node++) {
        Cache<String, String> cache = caches.get(node);
        readers.add(
            threads.submit(() -> {
              while (done.get(KEYS - 1) < WRITES / KEYS) {
                checkWalk(cache, done);
              }
            }));
      }
      for (int i = 1; i <= WRITES / KEYS; i++) {
        for (int key = 0; key < KEYS; key++) {
          caches.get(i % 3).put("k" + key, String.valueOf(i));
          done.set(key, i);
        }
      }
      for (Future<?> reader : readers) {
        reader.get(120, TimeUnit.SECONDS);
      }
    }
    for (Cache<String, String> cache : caches) {
      checkWalk(cache, done);
    }
  }

  private static void checkWalk(Cache<String, String> cache, AtomicIntegerArray done) {
    int[] atLeast = IntStream.range(0, KEYS).map(done::get).toArray();
    Set<String> seen = new HashSet<>();
    for (Map.Entry<String, String> entry : cache.entrySet()) {
      assertTrue(seen.add(entry.getKey()), () -> "twice: " + entry.getKey());
      if (!entry.getKey().equals("first")) {
        int key = Integer.parseInt(entry.getKey().substring(1));
        int value = Integer.parseInt(entry.getValue());
        assertTrue(value >= atLeast[key], () -> value + " after " + atLeast[key]);
      }
    }
    assertEquals(KEYS + 1, seen.size());
  }
}
