package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.testkit.Await;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Near caches of two clients of one server. */
class NearCacheTest {
  private static TestServer server;

  @BeforeAll
  static void startServer() {
    server = new TestServer();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  private static ClientConfig config(boolean hasFilter, int entriesMax) {
    NearCacheConfig near = NearCacheConfig.invalidated(entriesMax);
    return server.client().nearCache("default", hasFilter ? near.withBloomFilter() : near).build();
  }

  private static <K, V> RemoteCache<K, V> cache(RemoteCacheManager manager) {
    return Objects.requireNonNull(manager.<K, V>getCache("default"));
  }

  private static NearEntries entries(RemoteCacheManager manager) {
    return Objects.requireNonNull(manager.router().cache("default").near()).entries();
  }

  private static <K, V> void awaitValue(RemoteCache<K, V> cache, K key, V value) {
    Await.until(key + "=" + value, () -> value.equals(cache.get(key)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void get_again_asksNobody_untilTheEntryChanges(boolean hasFilter) {
    try (RemoteCacheManager near = new RemoteCacheManager(config(hasFilter, 100));
        RemoteCacheManager other = new RemoteCacheManager(server.client().build())) {
      RemoteCache<String, String> cache = cache(near);
      RemoteCache<String, String> writer = cache(other);
      writer.clear();
      writer.put("k", "a");
      awaitValue(cache, "k", "a");
      String kept = cache.get("k");
      assertSame(kept, cache.get("k"));
      assertSame(kept, Objects.requireNonNull(cache.getWithMetadata("k")).value());
      assertSame(kept, cache.getAsync("k").join());
      assertTrue(entries(near).hits.sum() >= 3);
      writer.put("k", "b");
      awaitValue(cache, "k", "b");
      cache.put("k", "c");
      assertEquals("c", cache.get("k"));
      cache.putAll(Map.of("k", "d"));
      assertEquals("d", cache.get("k"));
      cache.remove("k");
      assertNull(cache.get("k"));
      cache.put("k", "e");
      assertEquals("e", cache.get("k"));
      cache.clear();
      assertNull(cache.get("k"));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void reads_ofMoreThanFits_stayWithinTheBound(boolean hasFilter) {
    try (RemoteCacheManager near = new RemoteCacheManager(config(hasFilter, 50));
        RemoteCacheManager other = new RemoteCacheManager(server.client().build())) {
      RemoteCache<Integer, Integer> cache = cache(near);
      RemoteCache<Integer, Integer> writer = cache(other);
      for (int i = 0; i < 500; i++) {
        writer.put(i, i);
      }
      for (int i = 0; i < 500; i++) {
        awaitValue(cache, i, i);
      }
      assertTrue(entries(near).size() <= 50);
      for (int i = 0; i < 500; i++) {
        writer.put(i, -i - 1);
      }
      for (int i = 0; i < 500; i++) {
        awaitValue(cache, i, -i - 1);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void readers_amongWriters_neverGoBack(boolean hasFilter) {
    try (RemoteCacheManager near = new RemoteCacheManager(config(hasFilter, 3));
        RemoteCacheManager other = new RemoteCacheManager(server.client().build())) {
      RemoteCache<Integer, Integer> cache = cache(near);
      RemoteCache<Integer, Integer> writer = cache(other);
      int keys = 5;
      for (int k = 0; k < keys; k++) {
        writer.put(k, 0);
      }
      AtomicInteger round = new AtomicInteger();
      CompletableFuture<Void> writing =
          CompletableFuture.runAsync(() -> {
            for (int i = 1; i <= 300; i++) {
              for (int k = 0; k < keys; k++) {
                writer.put(k, i);
              }
              round.set(i);
            }
          });
      while (!writing.isDone()) {
        for (int k = 0; k < keys; k++) {
          int value = Objects.requireNonNull(cache.get(k));
          assertTrue(value <= round.get() + 1);
        }
      }
      writing.join();
      for (int k = 0; k < keys; k++) {
        awaitValue(cache, k, 300); // an old value would stay for ever
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void arrayOfAKey_mayBeUsedAgain(boolean hasFilter) {
    NearCacheConfig near = NearCacheConfig.invalidated(100);
    ClientConfig config =
        server
            .client()
            .marshaller(new BytesMarshaller())
            .nearCache("default", hasFilter ? near.withBloomFilter() : near)
            .build();
    try (RemoteCacheManager manager = new RemoteCacheManager(config);
        RemoteCacheManager other =
            new RemoteCacheManager(server.client().marshaller(new BytesMarshaller()).build())) {
      RemoteCache<byte[], byte[]> cache = cache(manager);
      RemoteCache<byte[], byte[]> writer = cache(other);
      byte[] one = {1};
      byte[] last = {3};
      writer.put(one, new byte[] {10});
      writer.put(last, new byte[] {30});
      byte[] key = one.clone();
      awaitKept(cache, key);
      awaitKept(cache, last);
      key[0] = 2;
      cache.get(key);
      writer.put(one, new byte[] {11});
      writer.put(last, new byte[] {31});
      Await.until("the last event", () -> Objects.requireNonNull(cache.get(last))[0] == 31);
      key[0] = 1;
      assertArrayEquals(new byte[] {11}, cache.get(key));
    }
  }

  private static <K> void awaitKept(RemoteCache<K, ?> cache, K key) {
    Await.until(
        "the copy",
        () -> {
          long hits = cache.clientStatistics().nearHits();
          cache.get(key);
          return cache.clientStatistics().nearHits() > hits;
        });
  }

  @Test
  void removedCache_leavesNothingToOneOfTheSameName() {
    NearCacheConfig kept = NearCacheConfig.invalidated(100);
    StringConfiguration local = new StringConfiguration("{\"local-cache\":{}}");
    try (RemoteCacheManager near =
            new RemoteCacheManager(server.client().nearCache("anew", kept).build());
        RemoteCacheManager other = new RemoteCacheManager(server.client().build())) {
      RemoteCacheManagerAdmin admin = near.administration().withFlags(AdminFlag.VOLATILE);
      RemoteCache<String, String> before = admin.createCache("anew", local);
      before.put("k", "a");
      awaitKept(before, "k");
      admin.removeCache("anew");
      RemoteCache<String, String> cache = admin.createCache("anew", local);
      assertNull(cache.get("k"));
      assertNull(before.get("k"));
      RemoteCache<String, String> writer =
          Objects.requireNonNull(other.<String, String>getCache("anew"));
      for (String value : List.of("b", "c")) {
        writer.put("k", value);
        awaitValue(cache, "k", value);
        awaitKept(cache, "k");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisabledIfSystemProperty(named = TestServer.EXTERNAL, matches = ".*") // others tell nobody
  void removedCache_ofAnotherClient_isNotServedAnyMore(boolean hasFilter) {
    NearCacheConfig kept = NearCacheConfig.invalidated(100);
    StringConfiguration local = new StringConfiguration("{\"local-cache\":{}}");
    ClientConfig config =
        server.client().nearCache("left", hasFilter ? kept.withBloomFilter() : kept).build();
    try (RemoteCacheManager near = new RemoteCacheManager(config);
        RemoteCacheManager other = new RemoteCacheManager(server.client().build())) {
      RemoteCacheManagerAdmin admin = other.administration().withFlags(AdminFlag.VOLATILE);
      RemoteCache<String, String> writer = admin.createCache("left", local);
      writer.put("k", "a");
      RemoteCache<String, String> cache =
          Objects.requireNonNull(near.<String, String>getCache("left"));
      awaitKept(cache, "k");
      admin.removeCache("left");
      Await.until("the end of the cache", () -> isGone(cache));
      writer = admin.createCache("left", local);
      assertNull(cache.get("k"));
      writer.put("k", "b");
      awaitKept(cache, "k");
      assertEquals("b", cache.get("k"));
      admin.removeCache("left");
    }
  }

  private static boolean isGone(RemoteCache<String, String> cache) {
    try {
      return cache.get("k") == null;
    } catch (ServerErrorException refused) {
      return refused.isCacheNotFound();
    }
  }

  @Test
  void statistics_countWhatServersAnsweredAndWhatWasKept() {
    NearCacheConfig near = NearCacheConfig.invalidated(10);
    ClientConfig config = server.client().statistics(true).nearCache("default", near).build();
    try (RemoteCacheManager manager = new RemoteCacheManager(config)) {
      RemoteCache<String, String> cache = cache(manager);
      cache.put("counted", "v");
      cache.putIfAbsent("counted", "w");
      cache.get("none");
      awaitValue(cache, "counted", "v");
      cache.get("counted");
      cache.remove("counted");
      ClientStatistics statistics = cache.clientStatistics();
      assertEquals(2, statistics.stores());
      assertEquals(1, statistics.removes());
      assertEquals(1, statistics.misses());
      assertTrue(statistics.hits() >= 1);
      assertTrue(statistics.averageReadNanos() > 0);
      assertTrue(statistics.nearHits() + statistics.hits() >= 2);
      assertEquals(0, statistics.nearSize());
    }
  }

  @Test
  void conditionalWrites_whileTheNearCopyIsOld_goByTheServersValue() {
    try (RemoteCacheManager near = new RemoteCacheManager(config(false, 100));
        RemoteCacheManager other = new RemoteCacheManager(server.client().build())) {
      RemoteCache<String, String> cache = cache(near);
      RemoteCache<String, String> writer = cache(other);
      writer.put("k", "old");
      awaitValue(cache, "k", "old");
      MetadataValue<String> old = Objects.requireNonNull(cache.getWithMetadata("k"));
      writer.put("k", "a");
      awaitValue(cache, "k", "a");

      keep(near, "k", old);
      assertTrue(cache.replace("k", "a", "b"));
      assertEquals("b", cache.get("k"));
      keep(near, "k", old);
      assertTrue(cache.remove("k", "b"));
      assertNull(cache.get("k"));
    }
  }

  /** Puts back what was read earlier, as if no event had come since. */
  private static void keep(RemoteCacheManager manager, String key, MetadataValue<String> value) {
    KeyBytes bytes = new KeyBytes(new ObjectFormat(new ProtoStreamMarshaller()).keyBytes(key));
    entries(manager).store(bytes, entries(manager).ticket(bytes), value);
    assertEquals(value.value(), NearCacheTest.<String, String>cache(manager).get(key));
  }
}
