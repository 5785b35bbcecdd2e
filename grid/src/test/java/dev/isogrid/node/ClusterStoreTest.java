package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.FileStore;
import dev.isogrid.api.Fsync;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.WhenSplit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clustered caches with a store, on the only node of a cluster. */
class ClusterStoreTest {
  private static final String CACHE = "orders";

  @TempDir private Path folder;

  private final StoredNodes nodes = new StoredNodes();

  @AfterEach
  void close() {
    nodes.close();
  }

  static CacheConfig config(CacheMode mode, Fsync fsync) {
    return CacheConfig.builder()
        .mode(mode)
        .segments(8)
        .fileStore(FileStore.builder().fsync(fsync).build())
        .build();
  }

  private static Map<String, String> fill(Cache<String, String> cache, int count) {
    Map<String, String> many = new HashMap<>();
    for (int i = 0; i < count; i++) {
      many.put("key-" + i, "value-" + i);
    }
    cache.putAll(many);
    cache.put("large", "x".repeat(300_000));
    cache.remove("key-1");
    cache.computeIfPresent("key-2", (_, value) -> value + "!");
    return new TreeMap<>(cache);
  }

  @ParameterizedTest
  @EnumSource(
      value = CacheMode.class,
      names = {"DIST_SYNC", "REPL_SYNC"})
  void entries_ofOnlyMember_areThereAfterCloseAndAfterKill(CacheMode mode) throws Exception {
    Node first = nodes.start("a", folder.resolve("a"));
    Cache<String, String> cache = first.cache(CACHE, config(mode, Fsync.EACH));
    Map<String, String> expected = fill(cache, 100);
    long version = requireNonNull(cache.getEntry("key-3")).version();
    Path killed = StoredNodes.copy(folder.resolve("a"), folder.resolve("killed"));
    cache.put("last", "one");
    nodes.stop(first);

    Node second = nodes.start("a", folder.resolve("a"));
    Cache<String, String> stopped = requireNonNull(second.findCache(CACHE));
    assertEquals("one", stopped.remove("last"));
    assertEquals(expected, new TreeMap<>(stopped));
    assertEquals(version, requireNonNull(stopped.getEntry("key-3")).version());
    stopped.put("key-3", "new");
    assertTrue(requireNonNull(stopped.getEntry("key-3")).version() > version);
    nodes.stop(second);

    Node third = nodes.start("a", killed);
    Cache<String, String> after = requireNonNull(third.findCache(CACHE));
    assertEquals(expected, new TreeMap<>(after));
    after.clear();
    nodes.stop(third);

    Node fourth = nodes.start("a", killed);
    assertEquals(Map.of(), requireNonNull(fourth.findCache(CACHE)));
  }

  @Test
  void cache_definedAnew_hasNoEntriesOfBefore() throws Exception {
    Node first = nodes.start("a", folder.resolve("a"));
    Cache<String, String> cache = first.cache(CACHE, config(CacheMode.DIST_SYNC, Fsync.EACH));
    cache.put("key", "value");
    assertTrue(first.removeCache(CACHE));
    Cache<String, String> anew = first.cache(CACHE, config(CacheMode.DIST_SYNC, Fsync.EACH));
    assertNull(anew.get("key"));
    anew.put("other", "value");
    nodes.stop(first);

    Node second = nodes.start("a", folder.resolve("a"));
    assertEquals(Map.of("other", "value"), requireNonNull(second.findCache(CACHE)));
    assertTrue(second.removeCache(CACHE));
    nodes.stop(second);

    Node third = nodes.start("a", folder.resolve("a"));
    assertNull(third.findCache(CACHE));
  }

  /** The process may end after the cluster has a cache, and before its store is there. */
  @Test
  void cacheWhoseStoreHadNotBegun_atTheEndOfAll_costsNoEntriesOfOthers() throws Exception {
    Node first = nodes.start("a", folder.resolve("a"));
    Cache<String, String> cache = first.cache(CACHE, config(CacheMode.DIST_SYNC, Fsync.EACH));
    Map<String, String> expected = fill(cache, 100);
    first.cache("begun", config(CacheMode.DIST_SYNC, Fsync.EACH)).put("key", "value");
    nodes.stop(first);
    Path store = folder.resolve("a").resolve("stores").resolve("begun");
    for (Path file : files(store)) {
      Files.delete(file);
    }
    Files.delete(store);

    Node second = nodes.start("a", folder.resolve("a"));
    assertEquals(expected, new TreeMap<>(requireNonNull(second.findCache(CACHE))));
    Cache<String, String> begun = requireNonNull(second.findCache("begun"));
    assertEquals(Map.of(), begun);
    begun.put("other", "value");
    nodes.stop(second);

    Node third = nodes.start("a", folder.resolve("a"));
    assertEquals(expected, new TreeMap<>(requireNonNull(third.findCache(CACHE))));
    assertEquals(Map.of("other", "value"), requireNonNull(third.findCache("begun")));
  }

  private static List<Path> files(Path store) throws IOException {
    try (Stream<Path> files = Files.list(store)) {
      return files.toList();
    }
  }

  @Test
  void cacheWithoutStore_leavesNoFiles_andIsGoneAfterRestart() throws Exception {
    Node first = nodes.start("a", folder.resolve("a"));
    CacheConfig inMemory = CacheConfig.builder().mode(CacheMode.DIST_SYNC).segments(8).build();
    first.cache("memory", inMemory).put("key", "value");
    assertTrue(Files.notExists(folder.resolve("a")));
    first.cache(CACHE, config(CacheMode.DIST_SYNC, Fsync.EACH)).put("key", "value");
    nodes.stop(first);

    Node second = nodes.start("a", folder.resolve("a"));
    assertNull(second.findCache("memory"));
    assertNotNull(second.findCache(CACHE));
    assertEquals(Map.of(), second.cache("memory", inMemory));
  }

  @Test
  void store_thatAClusterCantHave_isRefused() throws Exception {
    Node node = nodes.start("a", folder.resolve("a"));
    for (CacheConfig refused :
        new CacheConfig[] {
          config(CacheMode.DIST_ASYNC, Fsync.EACH),
          config(CacheMode.INVALIDATION_SYNC, Fsync.EACH),
          config(CacheMode.REPL_SYNC, Fsync.EACH).toBuilder()
              .whenSplit(WhenSplit.ALLOW_READ_WRITES)
              .build()
        }) {
      assertThrows(InvalidRequestException.class, () -> node.cache("refused", refused));
    }
  }
}
