package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEntry;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.FakeEnv;
import dev.isogrid.codec.ScalarMarshaller;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class NodeTest {
  private static final CacheConfig OBJECTS = CacheConfig.builder().segments(4).build();
  private static final CacheConfig BYTES =
      OBJECTS.toBuilder().storage(StorageType.HEAP_BINARY).build();

  /** 2035-01-01. */
  private static final long LATE_MILLIS = 2_051_222_400_000L;

  private final FakeEnv env = new FakeEnv();
  private final Node node = start(env);

  private static Node start(FakeEnv env) {
    return Node.start(GridConfig.builder().nodeName("n").build(), env.env());
  }

  private static String message(Class<? extends RuntimeException> type, Executable call) {
    return String.valueOf(assertThrows(type, call).getMessage());
  }

  // Caches

  @Test
  void cache_ofOneName_isAlwaysTheSame() {
    Cache<String, String> first = node.cache("a");

    assertSame(first, node.cache("a"));
    assertSame(first, node.cache("a", OBJECTS.toBuilder().segments(256).build()));
    assertSame(first, node.findCache("a"));
    assertNotSame(first, node.cache("b"));
    assertEquals(StorageType.HEAP_OBJECT, first.config().storage());
    assertEquals(256, first.config().segments());
  }

  @Test
  void createCache_ofTakenName_isRefused() {
    Cache<String, String> first = node.createCache("a", BYTES);

    assertEquals(
        "cache exists already: name=a",
        message(InvalidRequestException.class, () -> node.createCache("a", BYTES)));
    String other = message(InvalidRequestException.class, () -> node.createCache("a", OBJECTS));
    assertEquals("cache exists already: name=a, storage is HEAP_BINARY, wanted HEAP_OBJECT", other);
    assertSame(first, node.findCache("a"));
    assertEquals(StorageType.HEAP_BINARY, first.config().storage());
    assertEquals(BYTES.segments(), first.config().segments());
  }

  @Test
  void createCache_ofNamesAtTheLimits_isDoneOrRefused() {
    node.createCache("x", OBJECTS);
    node.createCache("x".repeat(255), OBJECTS);

    for (String name : List.of("", "x".repeat(256))) {
      String refusal =
          message(InvalidRequestException.class, () -> node.createCache(name, OBJECTS));
      assertTrue(refusal.startsWith("invalid cache name: length=" + name.length()));
      assertThrows(InvalidRequestException.class, () -> node.cache(name));
    }
  }

  @Test
  void findCache_ofUnknownName_isNull() {
    assertNull(node.findCache("a"));
    assertEquals(Set.of(), node.cacheNames());
  }

  @Test
  void cacheNames_ofSomeCaches_areSortedAndOfTheirMoment() {
    node.cache("b");
    node.cache("a");
    Set<String> names = node.cacheNames();
    node.cache("c");

    assertEquals(List.of("a", "b"), List.copyOf(names));
    assertThrows(UnsupportedOperationException.class, () -> names.remove("a"));
  }

  @Test
  void removeCache_ofPresentAndAbsentName_closesItOnce() {
    Cache<String, String> removed = node.cache("a");
    removed.put("k", "v");

    assertTrue(node.removeCache("a"));
    assertFalse(node.removeCache("a"));

    assertThrows(FatalGridException.class, () -> removed.get("k"));
    assertEquals(0, env.periodicTasks());
    assertNull(node.cache("a").get("k"));
  }

  @Test
  void cache_fromManyThreads_isMadeOnce() throws Exception {
    AtomicInteger created = new AtomicInteger();
    Set<Object> seen = new HashSet<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int round = 0; round < 50; round++) {
        String name = "c" + round;
        List<Callable<Object>> makers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          makers.add(() -> node.cache(name, OBJECTS));
          makers.add(() -> tryCreate(name, created));
        }
        for (Future<Object> made : threads.invokeAll(makers)) {
          seen.add(made.get());
        }
      }
    }
    assertEquals(50, seen.size());
    assertTrue(created.get() <= 50);
    assertEquals(50, env.periodicTasks());
  }

  private Object tryCreate(String name, AtomicInteger created) {
    try {
      Object made = node.createCache(name, OBJECTS);
      created.incrementAndGet();
      return made;
    } catch (InvalidRequestException exists) {
      return assertNotNullCache(name);
    }
  }

  private Object assertNotNullCache(String name) {
    return Objects.requireNonNull(node.findCache(name));
  }

  // Versions over a cache's lives

  private static long versionOfPut(Cache<String, String> cache) {
    cache.put("k", "v");
    CacheEntry<String, String> entry = Objects.requireNonNull(cache.getEntry("k"));
    return entry.version();
  }

  @Test
  void version_ofCacheThatWasMadeAgain_isGreaterThanAllBefore() {
    long last = 0;
    for (int life = 0; life < 5; life++) {
      Cache<String, String> cache = node.createCache("c", life % 2 == 0 ? OBJECTS : BYTES);
      for (int i = 0; i < 3; i++) {
        long version = versionOfPut(cache);
        assertTrue(version > last);
        last = version;
      }
      node.removeCache("c");
      env.moveClock(-100_000); // the clock is of no use
    }
  }

  @Test
  void version_ofLaterNode_isGreaterThanThoseOfTheEarlier() {
    long earlier = versionOfPut(node.createCache("c", BYTES));
    node.close();

    long later = versionOfPut(start(new FakeEnv(env.nowMillis() + 120_000)).cache("c", BYTES));

    assertTrue(later > earlier);
  }

  @Test
  void version_inLaterYears_isStillGreaterThanZeroAndRising() {
    long now = versionOfPut(node.createCache("c", BYTES));
    Node late = start(new FakeEnv(LATE_MILLIS));

    long first = versionOfPut(late.createCache("c", BYTES));
    late.removeCache("c");
    long second = versionOfPut(late.createCache("c", BYTES));

    assertTrue(0 < now && now < first && first < second, now + ", " + first + ", " + second);
  }

  // Engines

  @Test
  void engine_ofCacheOfBytes_sharesItsEntries() {
    assertNull(node.engine("c"));
    Cache<String, String> cache = node.createCache("c", BYTES);
    cache.put("k", "v");
    CacheEngine<BinaryKey, Bytes> engine = Objects.requireNonNull(node.engine("c"));

    BinaryKey key = BinaryKey.of(ScalarMarshaller.INSTANCE.toBytes("k"));
    List<Object> values = new ArrayList<>();
    boolean found =
        engine.read(
            key,
            key.hash(),
            engine.newView(),
            e -> values.add(ScalarMarshaller.INSTANCE.fromBytes(e.value().toByteArray())));

    assertTrue(found);
    assertEquals(List.of("v"), values);
  }

  @Test
  void engine_ofCacheOfObjects_isRefused() {
    node.createCache("c", OBJECTS);

    String refusal = message(InvalidRequestException.class, () -> node.engine("c"));

    assertTrue(refusal.startsWith("cache keeps objects: name=c;"));
  }

  // Life cycle

  @Test
  void close_twice_endsCachesAndScheduler() {
    Cache<String, String> cache = node.cache("a");
    cache.put("k", "v");

    node.close();
    node.close();

    assertTrue(env.isSchedulerClosed());
    List<Executable> calls =
        List.of(
            () -> cache.get("k"),
            () -> node.cache("a"),
            () -> node.cache("b", OBJECTS),
            () -> node.createCache("b", OBJECTS));
    for (Executable call : calls) {
      assertThrows(FatalGridException.class, call);
    }
    assertTrue(message(FatalGridException.class, () -> node.cache("b")).contains("node=n"));
  }

  @Test
  void twoNodes_inOneProcess_shareNothing() {
    try (Node other = start(new FakeEnv())) {
      Cache<String, String> mine = node.cache("c");
      Cache<String, String> theirs = other.cache("c");
      mine.put("k", "mine");
      theirs.put("k", "theirs");

      assertEquals("mine", mine.get("k"));
      node.close();
      assertEquals("theirs", theirs.get("k"));
      assertThrows(FatalGridException.class, () -> mine.get("k"));
    }
  }

  @Test
  void nodeName_whenGivenOrNot_isTheGivenOrAGenerated() {
    assertEquals("n", node.nodeName());
    assertEquals("n", node.config().nodeName());
    Node nameless = Node.start(GridConfig.builder().build(), new FakeEnv().env());
    assertFalse(nameless.nodeName().isEmpty());
  }

  @Test
  void start_ofGridInterface_findsThisImplementation() {
    try (Grid grid = Grid.start();
        Grid named = Grid.start(GridConfig.builder().nodeName("second").build())) {
      Cache<String, String> cache = grid.cache("c");
      cache.put("k", "v");

      assertEquals("v", cache.get("k"));
      assertEquals("second", named.nodeName());
      assertNull(named.findCache("c"));
      assertNotNull(grid.findCache("c"));
    }
  }
}
