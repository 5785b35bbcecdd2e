package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.BasicCache;
import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.Grid;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** One program, written against the common interface, on a grid of its own and as a client. */
class BasicCacheTest {
  private static final CacheConfig MORTAL =
      CacheConfig.builder().lifespan(1, TimeUnit.HOURS).build();

  /** Counts visits and keeps the first visitor of each page. */
  private static final class Visits {
    private final BasicCache<String, Long> counts;
    private final BasicCache<String, String> firsts;

    Visits(BasicCache<String, Long> counts, BasicCache<String, String> firsts) {
      this.counts = counts;
      this.firsts = firsts;
    }

    boolean visit(String page, String visitor) {
      counts.merge(page, 1L, Long::sum, Expiry.lifespan(Duration.ofDays(1)));
      return firsts.putIfAbsent(page, visitor, 1, TimeUnit.DAYS) == null;
    }

    void forget(String page) {
      counts.computeIfPresent(page, (name, count) -> null);
      firsts.remove(page);
    }
  }

  private static void runProgram(
      BasicCache<String, Long> counts, BasicCache<String, String> firsts) {
    Visits visits = new Visits(counts, firsts);
    assertTrue(visits.visit("a", "ann"));
    assertFalse(visits.visit("a", "bob"));
    assertTrue(visits.visit("b", "bob"));
    assertEquals(Map.of("a", 2L, "b", 1L), counts.getAll(Set.of("a", "b", "c")));
    assertEquals(new TreeMap<>(Map.of("a", "ann", "b", "bob")), new TreeMap<>(firsts));
    visits.forget("a");
    assertFalse(counts.containsKey("a"));
    assertNull(firsts.putIfAbsent("a", "carl"));
    assertEquals("carl", firsts.replace("a", "dora"));
    assertEquals("dora", firsts.remove("a"));
    assertEquals(1L, counts.getAsync("b").join());
    counts.putAll(Map.of("x", 1L, "y", 2L), Duration.ofHours(1));
    counts.replaceAll((page, count) -> count * 10);
    Map<String, Long> seen = new TreeMap<>();
    counts.forEach(seen::put);
    assertEquals(Map.of("b", 10L, "x", 10L, "y", 20L), seen);
    assertEquals("counts", counts.getName());
    runAsynchronously(counts);
  }

  /** The caller goes on while its functions wait. */
  private static void runAsynchronously(BasicCache<String, Long> counts) {
    CountDownLatch mayEnd = new CountDownLatch(1);
    CompletableFuture<@Nullable Long> loaded =
        counts.computeIfAbsentAsync("late", page -> awaited(mayEnd, 5L));
    CompletableFuture<@Nullable Long> added =
        counts.computeAsync("x", (page, count) -> awaited(mayEnd, count + 1));
    assertFalse(loaded.isDone() || added.isDone());
    mayEnd.countDown();
    assertEquals(5L, loaded.join());
    assertEquals(11L, added.join());
    assertEquals(12L, counts.mergeAsync("x", 1L, Long::sum).join());
    assertNull(counts.computeIfPresentAsync("late", (page, count) -> null).join());
    assertFalse(counts.containsKey("late"));
    CompletableFuture<@Nullable Long> failing =
        counts.computeAsync(
            "y",
            (page, count) -> {
              throw new IllegalStateException("no");
            });
    CompletionException failure = assertThrows(CompletionException.class, failing::join);
    assertEquals("java.lang.IllegalStateException: no", failure.getMessage());
  }

  private static long awaited(CountDownLatch latch, long value) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return value;
  }

  private static void refuses(
      Class<? extends RuntimeException> expected, String message, Executable call) {
    RuntimeException refusal = assertThrows(expected, call);
    assertEquals(message, refusal.getMessage());
  }

  /** Calls that no cache takes. Nulls come through raw types, as from code without checks. */
  @SuppressWarnings({"unchecked", "rawtypes", "NullAway"}) // nulls are the point
  private static void checkRefusals(BasicCache<String, String> checked) {
    BasicCache cache = checked;
    Map<String, String> nullValue = new HashMap<>();
    nullValue.put("k", null);
    Map<String, String> nullKey = new HashMap<>();
    nullKey.put(null, "v");
    Set<String> nullKeys = new HashSet<>();
    nullKeys.add(null);
    refuses(NullPointerException.class, "map", () -> cache.putAll(null));
    refuses(NullPointerException.class, "key", () -> cache.putAll(nullKey));
    refuses(NullPointerException.class, "value", () -> cache.putAll(nullValue));
    refuses(NullPointerException.class, "expiry", () -> cache.putAll(nullKey, (Expiry) null));
    refuses(NullPointerException.class, "map", () -> cache.putAllAsync(null));
    refuses(NullPointerException.class, "keys", () -> cache.getAll(null));
    refuses(NullPointerException.class, "key", () -> cache.getAll(nullKeys));
    refuses(NullPointerException.class, "keys", () -> cache.getAllAsync(null));
    String noValue = "a key alone can't be added: put an entry into the cache";
    refuses(UnsupportedOperationException.class, noValue, () -> cache.keySet().add("k"));
    refuses(UnsupportedOperationException.class, noValue, () -> cache.keySet().addAll(Set.of("k")));
    String noKey = "a value alone can't be added: put an entry into the cache";
    refuses(UnsupportedOperationException.class, noKey, () -> cache.values().add("v"));
    refuses(NullPointerException.class, "entry", () -> cache.entrySet().add(null));
    refuses(NullPointerException.class, "key", () -> cache.entrySet().addAll(nullKey.entrySet()));
    refuses(
        NullPointerException.class, "value", () -> cache.entrySet().addAll(nullValue.entrySet()));
    assertTrue(checked.isEmpty());
    assertTrue(checked.entrySet().add(Map.entry("a", "1")));
    assertFalse(checked.entrySet().add(Map.entry("a", "1")));
    assertTrue(checked.entrySet().add(Map.entry("a", "2")));
    assertEquals("2", checked.get("a"));
  }

  @Test
  void refusals_ofGridAndClient_areTheSame() {
    try (Grid grid = Grid.start();
        TestServer server = new TestServer();
        RemoteCacheManager manager = new RemoteCacheManager(server.client().build())) {
      checkRefusals(grid.cache("c"));
      checkRefusals(manager.administration().getOrCreateCache("c", (String) null));
    }
  }

  @Test
  void program_onGrid_runs() {
    try (Grid grid = Grid.start()) {
      runProgram(grid.cache("counts"), grid.cache("firsts"));
    }
  }

  @Test
  void program_onClient_runs() {
    try (TestServer server = new TestServer();
        RemoteCacheManager manager = new RemoteCacheManager(server.client().build())) {
      RemoteCacheManagerAdmin admin = manager.administration();
      runProgram(
          admin.getOrCreateCache("counts", (String) null),
          admin.getOrCreateCache("firsts", (String) null));
    }
  }

  /** Stores entries with times that stand for something, and gives their lifespans. */
  private interface Lifespans {
    long ofMillis(String key);
  }

  private static void checkTimes(BasicCache<String, String> cache, Lifespans lifespans) {
    long hour = TimeUnit.HOURS.toMillis(1);
    cache.put("plain", "v");
    cache.put("zero", "v", 0, TimeUnit.SECONDS);
    cache.put("zero both", "v", 0, TimeUnit.SECONDS, 0, TimeUnit.SECONDS);
    cache.put("zero duration", "v", Duration.ZERO);
    cache.put("none", "v", -1, TimeUnit.SECONDS);
    cache.put("none by duration", "v", Duration.ofNanos(-1));
    cache.put("minute", "v", Duration.ofMinutes(1), Duration.ZERO);
    cache.putAll(Map.of("zero of many", "v"), 0, TimeUnit.DAYS);
    cache.putAll(Map.of("none of many", "v"), -5, TimeUnit.DAYS);
    cache.putIfAbsent("zero if absent", "v", 0, TimeUnit.MILLISECONDS);
    cache.putAsync("zero later", "v", 0, TimeUnit.SECONDS).join();
    for (String key :
        Set.of(
            "plain",
            "zero",
            "zero both",
            "zero duration",
            "zero of many",
            "zero if absent",
            "zero later")) {
      assertEquals(hour, lifespans.ofMillis(key), key);
    }
    for (String key : Set.of("none", "none by duration", "none of many")) {
      assertEquals(-1, lifespans.ofMillis(key), key);
    }
    assertEquals(60_000, lifespans.ofMillis("minute"));
    cache.put("over", "v", new Expiry(0, Expiry.UNLIMITED));
    assertNull(cache.get("over"));
  }

  @Test
  void times_onGrid_haveTheCommonMeaning() {
    try (Grid grid = Grid.start()) {
      Cache<String, String> cache = grid.cache("mortal", MORTAL);
      checkTimes(cache, key -> Objects.requireNonNull(cache.getEntry(key)).lifespanMillis());
    }
  }

  @Test
  void times_onClient_haveTheCommonMeaning() {
    try (TestServer server = new TestServer();
        RemoteCacheManager manager = new RemoteCacheManager(server.client().build())) {
      RemoteCache<String, String> cache =
          manager
              .administration()
              .createCache(
                  "mortal",
                  new StringConfiguration(
                      "{\"local-cache\":{\"expiration\":{\"lifespan\":\"3600000\"}}}"));
      checkTimes(
          cache,
          key -> {
            int seconds = Objects.requireNonNull(cache.getWithMetadata(key)).lifespanSeconds();
            return seconds < 0 ? seconds : TimeUnit.SECONDS.toMillis(seconds);
          });
    }
  }

  @Test
  void nullArguments_areRefusedOnBoth() {
    try (Grid grid = Grid.start();
        TestServer server = new TestServer();
        RemoteCacheManager manager = new RemoteCacheManager(server.client().build())) {
      checkNulls(grid.cache("nulls"));
      checkNulls(Objects.requireNonNull(manager.<String, String>getCache("default")));
    }
  }

  @SuppressWarnings("NullAway") // what it is about
  private static void checkNulls(BasicCache<String, String> cache) {
    assertThrows(NullPointerException.class, () -> cache.get(null));
    assertThrows(NullPointerException.class, () -> cache.put("k", null));
    assertThrows(NullPointerException.class, () -> cache.merge("k", null, (a, b) -> a));
    assertThrows(NullPointerException.class, () -> cache.computeIfAbsent("k", null));
    assertThrows(NullPointerException.class, () -> cache.replace("k", "a", (String) null));
    assertThrows(NullPointerException.class, () -> cache.containsValue(null));
  }
}
