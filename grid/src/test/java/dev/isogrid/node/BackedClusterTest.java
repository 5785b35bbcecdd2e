package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.LoadingConfig;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.StoreConfig;
import dev.isogrid.api.WhenSplit;
import dev.isogrid.api.WriteBehind;
import dev.isogrid.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clustered caches whose nodes share a store outside of the grid. */
class BackedClusterTest {
  private static final int NODES = 3;
  private static final int WRITERS = 2 * NODES;

  private static EmbeddedNodes nodes;

  @BeforeAll
  static void start() throws Exception {
    nodes = EmbeddedNodes.start(NODES);
    nodes.awaitCopies();
  }

  @AfterAll
  static void close() {
    nodes.close();
  }

  private static StoreConfig.Builder store(String id) {
    return StoreConfig.named(CommonStore.class.getName()).property("id", id).shared(true);
  }

  private static CacheConfig config(CacheMode mode, StoreConfig.Builder store) {
    return CacheConfig.builder()
        .mode(mode)
        .segments(16)
        .statistics(true)
        .store(store.build())
        .build();
  }

  /** A cache of each node. */
  private static List<Cache<String, Integer>> caches(String name, CacheConfig config)
      throws Exception {
    List<Cache<String, Integer>> caches = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      caches.add(nodes.node(i).cache(name, config));
    }
    Await.until("each node has the cache", () -> caches.size() == NODES);
    return caches;
  }

  private static CommonStore.Source source(String id) {
    return CommonStore.source(id);
  }

  @ParameterizedTest
  @EnumSource(names = {"DIST_SYNC", "REPL_SYNC"})
  void writesOfAllNodes_reachTheStore(CacheMode mode) throws Exception {
    String name = "writes-" + mode;
    List<Cache<String, Integer>> caches = caches(name, config(mode, store(name)));
    Map<String, Integer> stored = source(name).entries;
    stored.put("k0", -1);
    for (int i = 0; i < 30; i++) {
      assertEquals(i == 0 ? -1 : null, caches.get(i % NODES).put("k" + i, i));
    }
    for (int i = 0; i < 30; i++) {
      assertEquals(i, stored.get("k" + i));
      assertEquals(i, caches.get((i + 1) % NODES).get("k" + i));
    }
    assertEquals(7, caches.get(1).remove("k7"));
    assertTrue(caches.get(2).replace("k8", 8, 88));
    assertEquals(9, caches.get(0).putIfAbsent("k9", 99));
    caches.get(0).putAll(Map.of("k10", 100, "k11", 110));
    assertNull(stored.get("k7"));
    assertEquals(88, stored.get("k8"));
    assertEquals(100, stored.get("k10"));
    assertEquals(Map.of("k10", 100, "k8", 88), caches.get(1).getAll(Set.of("k7", "k8", "k10")));
    caches.get(1).clear();
    assertEquals(Map.of(), stored);
    assertNull(caches.get(2).get("k1"));
  }

  @Test
  void properties_ofTheStore_areTheSameOnAllNodes() throws Exception {
    Map<String, String> properties =
        Map.of("id", "named", "maxSize", "5", "javax.sql:user", "${ada}", "query", "a\n\tb");
    StoreConfig.Builder store = store("named");
    properties.forEach(store::property);
    List<Cache<String, Integer>> caches = caches("named", config(CacheMode.DIST_SYNC, store));
    for (int i = 0; i < 20; i++) {
      caches.get(i % NODES).put("k" + i, i);
    }
    assertEquals(Set.of(properties), source("named").properties);
  }

  @Test
  void reads_ofAllNodes_loadAnEntryOnce() throws Exception {
    List<Cache<String, Integer>> caches =
        caches("reads", config(CacheMode.DIST_SYNC, store("reads")));
    for (int i = 0; i < 20; i++) {
      source("reads").entries.put("k" + i, i);
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<CompletableFuture<Integer>> answers = new ArrayList<>();
      for (int i = 0; i < 20 * NODES; i++) {
        int n = i;
        answers.add(
            CompletableFuture.supplyAsync(
                () -> Objects.requireNonNull(caches.get(n % NODES).get("k" + n / NODES)), threads));
      }
      for (int i = 0; i < answers.size(); i++) {
        assertEquals(i / NODES, answers.get(i).get());
      }
    }
    int loads = source("reads").loads.get();
    assertTrue(loads <= 30, () -> "each node loads for itself: loads=" + loads);
    for (int i = 0; i < 20 * NODES; i++) {
      assertEquals(i / NODES, caches.get(i % NODES).get("k" + i / NODES));
    }
    assertEquals(loads, source("reads").loads.get(), "loads although the entries are there");
    assertEquals(
        0, caches.stream().mapToLong(cache -> cache.stats().stores()).sum(), "loads are no stores");
  }

  @Test
  void writersOnAllNodes_leaveMemoryAndStoreTheSame() throws Exception {
    List<Cache<String, Integer>> caches =
        caches("sums", config(CacheMode.DIST_SYNC, store("sums")));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<CompletableFuture<Void>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int n = i;
        writers.add(
            CompletableFuture.runAsync(
                () -> {
                  for (int k = 0; k < 15; k++) {
                    caches.get(n % NODES).merge("k" + k % 3, 1, Integer::sum);
                  }
                },
                threads));
      }
      for (CompletableFuture<Void> each : writers) {
        each.get();
      }
    }
    for (int k = 0; k < 3; k++) {
      assertEquals(WRITERS * 5, source("sums").entries.get("k" + k));
      assertEquals(WRITERS * 5, caches.get(k).get("k" + k));
    }
  }

  @Test
  void write_thatTheStoreRefuses_failsEverywhere() throws Exception {
    List<Cache<String, Integer>> caches =
        caches("failing", config(CacheMode.DIST_SYNC, store("failing")));
    caches.get(0).put("k", 1);
    source("failing").failure = "disk full";
    for (Cache<String, Integer> cache : caches) {
      assertThrows(RetryableGridException.class, () -> cache.put("k", 2));
      assertEquals(1, cache.get("k"));
    }
    source("failing").failure = null;
    caches.get(1).put("k", 2);
    assertEquals(2, caches.get(2).get("k"));
  }

  @Test
  void preload_loadsAll() throws Exception {
    for (int i = 0; i < 50; i++) {
      source("preloaded").entries.put("k" + i, i);
    }
    List<Cache<String, Integer>> caches =
        caches("preloaded", config(CacheMode.DIST_SYNC, store("preloaded").preload(true)));
    Await.until("all are in memory", () -> caches.get(1).size() == 50);
  }

  @Test
  void purge_isDoneByTheNodeThatDefinesTheCache() throws Exception {
    source("purged").entries.put("old", 1);
    CacheConfig config = config(CacheMode.REPL_SYNC, store("purged").purge(true));
    Cache<String, Integer> first = nodes.node(0).cache("purged", config);
    assertNull(first.get("old"));
    first.put("new", 2);
    assertEquals(2, nodes.node(1).<String, Integer>cache("purged", config).get("new"));
    assertEquals(Map.of("new", 2), source("purged").entries);
  }

  @Test
  void removeCache_closesTheStoresOfAllNodes() throws Exception {
    List<Cache<String, Integer>> caches =
        caches("removed", config(CacheMode.DIST_SYNC, store("removed")));
    caches.forEach(cache -> cache.get("none"));
    Await.until("stores are open", () -> source("removed").open.get() == NODES);
    nodes.node(1).removeCache("removed");
    Await.until("stores are closed", () -> source("removed").open.get() == 0);
  }

  @Test
  void cache_whoseStoreCannotBeOpened_isNotDefined() {
    source("closed").failure = "no route to host";
    CacheConfig config = config(CacheMode.DIST_SYNC, store("closed"));
    RetryableGridException refusal =
        assertThrows(
            RetryableGridException.class, () -> nodes.node(0).createCache("closed", config));
    assertTrue(String.valueOf(refusal.getMessage()).contains("reason=no route to host"));
    assertNull(nodes.node(0).findCache("closed"));
  }

  @Test
  void whatIsNotPromised_isRefused() {
    CacheConfig possible = config(CacheMode.DIST_SYNC, store("refused"));
    refuse(
        config(CacheMode.DIST_SYNC, store("refused").writeBehind(WriteBehind.DEFAULT)),
        "clustered cache can't write behind");
    refuse(config(CacheMode.DIST_SYNC, store("refused").shared(false)), "set shared=true");
    refuse(config(CacheMode.DIST_ASYNC, store("refused")), "mode=DIST_ASYNC");
    refuse(config(CacheMode.INVALIDATION_SYNC, store("refused")), "mode=INVALIDATION_SYNC");
    refuse(
        possible.toBuilder().whenSplit(WhenSplit.ALLOW_READ_WRITES).build(),
        "when-split=ALLOW_READ_WRITES");
    refuse(config(CacheMode.LOCAL, StoreConfig.of(new MapStore())), "must be named");
    refuse(
        config(CacheMode.DIST_SYNC, StoreConfig.named("com.acme.Missing").shared(true)),
        "store=com.acme.Missing");
  }

  private static void refuse(CacheConfig config, String part) {
    InvalidRequestException refusal =
        assertThrows(
            InvalidRequestException.class, () -> nodes.node(0).createCache("refused", config));
    String message = String.valueOf(refusal.getMessage());
    assertTrue(message.contains(part), message);
  }

  @ParameterizedTest
  @EnumSource(names = {"DIST_SYNC", "REPL_SYNC"})
  void loaderOfTheDefinition_loadsAKeyOnce_whicheverNodeReads(CacheMode mode) throws Exception {
    LoadingConfig loading =
        LoadingConfig.DEFAULT
            .refreshAfterWrite(Duration.ofMillis(1))
            .absentLifespan(Duration.ofMinutes(10));
    CacheConfig config =
        CacheConfig.builder()
            .mode(mode)
            .segments(16)
            .loader(CountedLoader.class.getName(), loading)
            .build();
    String name = "loaded-" + mode;
    Cache<String, Integer> defined = nodes.node(0).cache(name, config);
    List<Cache<String, Integer>> caches =
        List.of(defined, nodes.node(1).cache(name), nodes.node(2).cache(name));
    int before = CountedLoader.LOADS.get();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<CompletableFuture<Integer>> answers = new ArrayList<>();
      for (int i = 0; i < 4 * NODES; i++) {
        Cache<String, Integer> cache = caches.get(i % NODES);
        answers.add(
            CompletableFuture.supplyAsync(
                () -> Objects.requireNonNull(cache.get("seven77")) % 100, threads));
      }
      for (CompletableFuture<Integer> answer : answers) {
        assertEquals(7, answer.get());
      }
    }
    assertEquals(before + 1, CountedLoader.LOADS.get());
    for (Cache<String, Integer> cache : caches) {
      assertNull(cache.get("none"));
      assertEquals(loading, Objects.requireNonNull(cache.config().store()).loading());
    }
    Await.until("a refresh", () -> Objects.requireNonNull(caches.get(1).get("seven77")) > 100);
    assertEquals(Map.of("xx", 2, "yyy", 3), caches.get(2).getAll(Set.of("xx", "yyy", "none")));
  }
}
