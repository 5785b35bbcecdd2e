package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.StoreConfig;
import dev.isogrid.api.StoreStats;
import dev.isogrid.api.WriteBehind;
import dev.isogrid.base.Env;
import dev.isogrid.base.FakeEnv;
import dev.isogrid.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A cache that writes to its store behind its users' backs. */
class WriteBehindTest {
  private final FakeEnv env = new FakeEnv();
  private final MapStore store = new MapStore();

  private Node start(Env world) {
    return Node.start(GridConfig.builder().nodeName("n").build(), world);
  }

  private Cache<String, String> cache(Node node, WriteBehind behind, long maxCount) {
    Cache<String, String> cache =
        node.createCache(
            "c",
            CacheConfig.builder()
                .segments(8)
                .maxCount(maxCount)
                .store(StoreConfig.of(store).writeBehind(behind).build())
                .build());
    store.calls.clear();
    return cache;
  }

  private static StoreStats stats(Cache<?, ?> cache) {
    return Objects.requireNonNull(cache.storeStats());
  }

  @Test
  void put_reachesTheStoreLater_andOnlyTheLastOneOfAKey() {
    try (Node node = start(env.env())) {
      Cache<String, String> cache = cache(node, WriteBehind.DEFAULT, -1);
      cache.putAll(Map.of("k", "1", "l", "1"));
      cache.putAll(Map.of("k", "2"));
      cache.putIfAbsent("m", "1");
      assertEquals(Map.of(), store.entries);
      assertEquals(3, stats(cache).queued());
      env.runTasks();
      assertEquals(List.of("load m", "write [k, l, m]"), List.copyOf(store.calls));
      assertEquals("2", store.value("k"));
      assertEquals(0, stats(cache).queued());
      assertEquals(3, stats(cache).writes());
    }
  }

  @Test
  void read_seesWhatWaits() {
    try (Node node = start(env.env())) {
      Cache<String, String> cache = cache(node, WriteBehind.DEFAULT, 2);
      store.have("gone", "v");
      assertEquals("v", cache.remove("gone"));
      assertNull(cache.get("gone"), "although the store has it");
      for (int i = 0; i < 20; i++) {
        cache.put("k" + i, "v" + i);
      }
      for (int i = 0; i < 20; i++) {
        assertEquals("v" + i, cache.get("k" + i), "although it was evicted");
      }
      env.runTasks();
      assertNull(store.value("gone"));
      assertEquals(20, store.entries.size());
    }
  }

  @Test
  void clear_forgetsWhatWaits() {
    try (Node node = start(env.env())) {
      Cache<String, String> cache = cache(node, WriteBehind.DEFAULT, -1);
      store.have("old", "v");
      cache.put("k", "v");
      cache.clear();
      env.runTasks();
      assertEquals(Map.of(), store.entries);
      assertNull(cache.get("k"));
    }
  }

  @Test
  void write_thatFindsNoRoom_isRefused_andSaysWhatItWaitedFor() {
    try (Node node = start(env.env())) {
      Cache<String, String> cache =
          cache(node, WriteBehind.DEFAULT.queueMax(2).timeout(Duration.ofMillis(20)), -1);
      cache.put("a", "1");
      cache.put("b", "1");
      cache.put("b", "2"); // takes the place of the one that waits
      var refused = assertThrows(RetryableGridException.class, () -> cache.put("c", "1"));
      String message = String.valueOf(refused.getMessage());
      assertTrue(message.contains("cache=c, store=MapStore, waiting=2, limit=2, waited=20 ms"));
      env.runTasks();
      assertNull(cache.get("c"), "memory did not change");
      cache.put("c", "1");
      env.runTasks();
      assertEquals("1", store.value("c"));
    }
  }

  @Test
  void batch_isBounded() {
    try (Node node = start(env.env())) {
      Cache<String, String> cache = cache(node, WriteBehind.DEFAULT.batchMax(2), -1);
      cache.putAll(Map.of("a", "1", "b", "2", "c", "3", "d", "4", "e", "5"));
      env.runTasks();
      assertEquals(3, store.calls.size());
      assertEquals(5, store.entries.size());
    }
  }

  @Test
  void failedBatch_isRepeated_untilTheStoreTakesIt() {
    try (Node node = start(Env.system())) {
      Cache<String, String> cache = cache(node, WriteBehind.DEFAULT, -1);
      store.failure = "no route to host";
      cache.putAll(Map.of("k", "v"));
      Await.until("failures", () -> stats(cache).failures() >= 2);
      assertEquals("v", cache.get("k"));
      store.failure = null;
      Await.until("all is stored", () -> stats(cache).queued() == 0);
      assertEquals("v", store.value("k"));
      assertEquals(0, stats(cache).dropped());
    }
  }

  @Test
  void change_thatTheStoreNeverTakes_isDropped_andDoesNotStopOthers() {
    try (Node node = start(Env.system())) {
      Cache<String, String> cache = cache(node, WriteBehind.DEFAULT, -1);
      store.poison = "bad";
      cache.putAll(Map.of("bad", "v", "good", "v"));
      cache.putAll(Map.of("later", "v"));
      Await.until("all is stored", () -> stats(cache).queued() == 0);
      assertEquals("v", store.value("good"));
      assertEquals("v", store.value("later"));
      assertNull(store.value("bad"));
      assertEquals(1, stats(cache).dropped());
      assertNotNull(cache.get("bad"));
    }
  }

  @Test
  void change_thatTheStoreNeverTakes_isDropped_alsoIfItIsAloneInItsBatch() {
    try (Node node = start(Env.system())) {
      Cache<String, String> cache = cache(node, WriteBehind.DEFAULT.batchMax(1), -1);
      store.poison = "bad";
      cache.putAll(Map.of("bad", "v"));
      Await.until("the change failed", () -> stats(cache).failures() >= 1);
      cache.putAll(Map.of("good", "v"));
      Await.until("all is stored", () -> stats(cache).queued() == 0);
      assertEquals("v", store.value("good"));
      assertEquals(1, stats(cache).dropped());
    }
  }

  @Test
  void clear_thatTheStoreRefuses_leavesWhatWaits() {
    try (Node node = start(env.env())) {
      Cache<String, String> cache = cache(node, WriteBehind.DEFAULT, -1);
      cache.putAll(Map.of("k", "v"));
      store.failure = "no route to host";
      assertThrows(RetryableGridException.class, cache::clear);
      assertEquals("v", cache.get("k"));
      store.failure = null;
      env.runTasks();
      assertEquals("v", store.value("k"));
    }
  }

  @Test
  void close_writesWhatWaits() {
    Node node = start(Env.system());
    Cache<String, String> cache = cache(node, WriteBehind.DEFAULT.batchMax(10), -1);
    for (int i = 0; i < 1000; i++) {
      cache.put("k" + i, "v");
    }
    node.close();
    assertEquals(1000, store.entries.size());
  }
}
