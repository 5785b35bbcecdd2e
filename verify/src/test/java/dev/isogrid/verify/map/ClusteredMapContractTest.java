package dev.isogrid.verify.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.testkit.Await;
import dev.isogrid.testkit.FreePorts;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Caches of clusters as maps, in every mode. On one member, and on one of three, each mode keeps
 * the whole contract. Modes that promise {@link ModePromise#SEEN_EVERYWHERE} also keep it if each
 * call is made on another node than the one before. Each promise that a mode does not make has a
 * test that shows the difference, and what holds in its place.
 */
@Tag("deep")
class ClusteredMapContractTest {
  private static final int KEYS = 200;

  /** A cluster of one member. */
  private static List<Grid> one = List.of();

  /** A cluster of three members. */
  private static List<Grid> three = List.of();

  @BeforeAll
  static void start() throws IOException {
    one = nodes(1);
    three = nodes(3);
    for (int i = 0; i < 3; i++) {
      Cache<String, String> leased = cache(i, CacheMode.INVALIDATION_SYNC, "leased");
      Await.until(
          "a lease, without which such a cache reads nothing",
          () -> {
            leased.put("k", "v");
            return leased.containsKey("k");
          });
    }
  }

  @AfterAll
  static void close() {
    Stream.of(one, three).flatMap(List::stream).parallel().forEach(Grid::close);
  }

  /** Starts nodes of one cluster, all at once. */
  private static List<Grid> nodes(int count) throws IOException {
    List<Integer> ports = FreePorts.several(count);
    List<String> seeds = ports.stream().map(port -> "127.0.0.1:" + port).toList();
    try (ExecutorService starting = Executors.newVirtualThreadPerTaskExecutor()) {
      List<CompletableFuture<Grid>> nodes =
          ports.stream()
              .map(port -> CompletableFuture.supplyAsync(() -> node(port, seeds), starting))
              .toList();
      return nodes.stream().map(CompletableFuture::join).toList();
    }
  }

  private static Grid node(int port, List<String> seeds) {
    ClusterConfig cluster =
        ClusterConfig.builder()
            .bindPort(port)
            .seeds(seeds)
            .joinTimeout(60, TimeUnit.SECONDS)
            .leaveTimeout(0, TimeUnit.SECONDS)
            .build();
    return Grid.start(GridConfig.builder().nodeName("n" + port).cluster(cluster).build());
  }

  private static CacheConfig config(CacheMode mode) {
    return CacheConfig.builder().mode(mode).segments(4).build();
  }

  private static <K, V> Cache<K, V> cache(int node, CacheMode mode, String purpose) {
    Grid grid = three.get(node);
    return grid.cache(purpose + "-" + mode, config(mode));
  }

  private static List<Cache<String, String>> caches(CacheMode mode, String purpose) {
    return IntStream.range(0, 3)
        .mapToObj(node -> ClusteredMapContractTest.<String, String>cache(node, mode, purpose))
        .toList();
  }

  // ---- the whole contract

  @TestFactory
  Stream<DynamicTest> oneMember() {
    return Stream.of(CacheMode.values())
        .flatMap(mode -> {
          Cache<String, String> cache = one.getFirst().cache("alone-" + mode, config(mode));
          return tests("one member " + mode, cache, mode);
        });
  }

  @TestFactory
  Stream<DynamicTest> oneOfThreeMembers() {
    return Stream.of(CacheMode.values())
        .flatMap(mode -> tests("one of three members " + mode, cache(1, mode, "here"), mode));
  }

  @TestFactory
  Stream<DynamicTest> eachCallOnAnotherMember() {
    return Stream.of(CacheMode.values())
        .filter(ModePromise.SEEN_EVERYWHERE::isKeptBy)
        .flatMap(mode -> tests("in turn " + mode, inTurn(caches(mode, "turn")), mode));
  }

  private static Stream<DynamicTest> tests(
      String name, ConcurrentMap<String, String> map, CacheMode mode) {
    Set<String> leftOut =
        mode == CacheMode.LOCAL && map instanceof Cache<?, ?> cache && keepsObjects(cache)
            ? MapContract.OF_ENTRY_SETS_WITHOUT_ADD
            : MapContract.OF_BYTES;
    return MapContract.of(name, map, leftOut).stream();
  }

  private static boolean keepsObjects(Cache<?, ?> cache) {
    return switch (cache.config().storage()) {
      case HEAP_OBJECT -> true;
      case HEAP_BINARY, OFF_HEAP -> false;
    };
  }

  /** A map each of whose methods is called on the next one of several maps. */
  @SuppressWarnings("unchecked") // the proxy implements this interface and passes calls on
  private static ConcurrentMap<String, String> inTurn(
      List<? extends ConcurrentMap<String, String>> maps) {
    AtomicInteger calls = new AtomicInteger();
    return (ConcurrentMap<String, String>)
        Proxy.newProxyInstance(
            ClusteredMapContractTest.class.getClassLoader(),
            new Class<?>[] {ConcurrentMap.class},
            (_, method, arguments) -> {
              try {
                return method.invoke(
                    maps.get(Math.floorMod(calls.getAndIncrement(), maps.size())), arguments);
              } catch (InvocationTargetException failure) {
                throw failure.getCause();
              }
            });
  }

  // ---- what other members see

  @ParameterizedTest
  @EnumSource
  void seenEverywhere_isKeptOrEachNodeHasEntriesOfItsOwn(CacheMode mode) {
    List<Cache<String, String>> caches = caches(mode, "seen");
    for (int i = 0; i < KEYS; i++) {
      String key = "k" + i;
      Cache<String, String> writer = caches.get(i % 3);
      Cache<String, String> other = caches.get((i + 1) % 3);
      Cache<String, String> third = caches.get((i + 2) % 3);
      writer.put(key, "a");
      assertEquals("a", writer.get(key), "a node reads its own write, in each mode");
      if (ModePromise.SEEN_EVERYWHERE.isKeptBy(mode)) {
        assertEquals("a", other.get(key));
        assertEquals("a", other.putIfAbsent(key, "b"));
        assertEquals("a", other.computeIfAbsent(key, _ -> "c"));
        assertEquals("a", third.replace(key, "d"));
        assertEquals("d", other.remove(key));
        assertNull(writer.get(key));
      } else {
        assertNull(other.get(key));
        assertNull(third.replace(key, "d"), "conditions look at the entries of their own node");
        assertNull(third.remove(key + "-absent"));
        assertEquals("c", third.computeIfAbsent(key, _ -> "c"), "each node loads for itself");
        assertFalse(other.containsKey(key));
        assertKept(third, key, mode);
      }
    }
  }

  /**
   * An entry that a node has stored stays there, unless another node wrote the key earlier and its
   * removal arrives later.
   */
  private static void assertKept(Cache<String, String> cache, String key, CacheMode mode) {
    if (mode != CacheMode.INVALIDATION_ASYNC) {
      assertEquals("c", cache.get(key));
      return;
    }
    Await.until(
        "an entry that stays, when earlier removals have arrived",
        () -> {
          cache.put(key, "c");
          return "c".equals(cache.get(key));
        });
  }

  @ParameterizedTest
  @EnumSource
  void nothingStale_isKeptOrTheValueBeforeIsGoneInTime(CacheMode mode) {
    List<Cache<String, String>> caches = caches(mode, "stale");
    for (int i = 0; i < KEYS; i++) {
      String key = "k" + i;
      Cache<String, String> before = caches.get(i % 3);
      Cache<String, String> writer = caches.get((i + 1) % 3);
      before.put(key, "old");
      if (i % 2 == 0) {
        writer.put(key, "new");
      } else {
        writer.remove(key);
      }
      if (ModePromise.NOTHING_STALE.isKeptBy(mode)) {
        assertNotOld(before, key);
      } else if (mode == CacheMode.LOCAL) {
        assertEquals("old", before.get(key), "the other node's entry is another one");
      } else {
        Await.until("the old value is gone on the other node", () -> before.get(key) == null);
      }
    }
  }

  private static void assertNotOld(Cache<String, String> cache, String key) {
    String value = cache.get(key);
    if ("old".equals(value)) {
      throw new AssertionError("stale: cache=%s, key=%s".formatted(cache.name(), key));
    }
  }

  // ---- copies

  @ParameterizedTest
  @EnumSource(
      names = {"LOCAL", "INVALIDATION_SYNC", "INVALIDATION_ASYNC"},
      mode = EnumSource.Mode.EXCLUDE)
  void copied_isKeptOrTheCopiesAreThereInTime(CacheMode mode) {
    List<Cache<String, String>> caches = caches(mode, "copied");
    Map<String, String> entries = new HashMap<>();
    for (int i = 0; i < KEYS; i++) {
      entries.put("k" + i, "value " + i);
    }
    Cache<String, String> alone = one.getFirst().cache("copied-" + mode, config(mode));
    alone.putAll(entries);
    long copies = mode == CacheMode.REPL_SYNC || mode == CacheMode.REPL_ASYNC ? 3 : 2;
    long expected = copies * alone.memoryUse().liveBytes();
    if (ModePromise.COPIED.isKeptBy(mode)) {
      // The first writes may come before all nodes have their copy of a new cache.
      Await.until(
          "a write that all owners have when it returns",
          () -> {
            caches.get(0).clear();
            caches.get(1).putAll(entries);
            return liveBytes(caches) == expected;
          });
    } else {
      caches.get(1).putAll(entries);
      Await.until("copies on all owners", () -> liveBytes(caches) == expected);
    }
  }

  private static long liveBytes(List<Cache<String, String>> caches) {
    return caches.stream().mapToLong(cache -> cache.memoryUse().liveBytes()).sum();
  }
}
