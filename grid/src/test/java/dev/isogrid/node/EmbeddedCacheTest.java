package dev.isogrid.node;

import static dev.isogrid.node.Nothing.nothing;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEntry;
import dev.isogrid.api.CacheStats;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.StorageType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The additions of a cache to a map, over every storage; {@link EmbeddedCacheMapTest} has the rest.
 */
@ParameterizedClass
@EnumSource(StorageType.class)
class EmbeddedCacheTest {
  private final StorageType storage;
  private final CacheFixture fixture;
  private final Cache<String, String> cache;

  EmbeddedCacheTest(StorageType storage) {
    this.storage = storage;
    fixture = new CacheFixture(storage);
    cache = fixture.cache;
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void toString_always_namesTheCacheAndNoEntries() {
    cache.put("a", "1");
    assertEquals("Cache[name=" + cache.name() + "]", cache.toString());
  }

  @Test
  void equals_ofMapWithTheSameEntries_isFalse() {
    cache.put("a", "1");
    assertFalse(cache.equals(Map.of("a", "1")));
    assertTrue(cache.equals(cache));
    assertTrue(cache.entrySet().equals(Map.of("a", "1").entrySet()));
  }

  @Test
  void getEntry_ofPresentAndAbsentKey_givesAllOrNull() {
    cache.put("a", "1");
    CacheEntry<String, String> entry = fixture.entry("a");

    assertEquals(new CacheEntry<>("a", "1", entry.version(), -1, -1, -1, -1), entry);
    assertTrue(entry.version() > 0);
    assertEquals("a", entry.getKey());
    assertEquals("1", entry.getValue());
    assertThrows(UnsupportedOperationException.class, () -> entry.setValue("2"));
    assertNull(cache.getEntry("none"));
  }

  @Test
  void getEntry_ofMortalEntry_tellsItsTimes() {
    long created = fixture.env.nowMillis();
    cache.put("a", "1", 50, TimeUnit.SECONDS, 20, TimeUnit.SECONDS);
    fixture.env.moveClock(5);

    CacheEntry<String, String> entry = fixture.entry("a");

    assertEquals(
        new CacheEntry<>("a", "1", entry.version(), created, 50_000, created + 5, 20_000), entry);
  }

  // Versions

  @Test
  void version_ofEveryWrite_isGreaterThanBefore() {
    cache.put("a", "1");
    long first = fixture.entry("a").version();
    cache.put("a", "1");
    long second = fixture.entry("a").version();
    cache.remove("a");
    cache.put("a", "1");
    long third = fixture.entry("a").version();
    cache.clear();
    cache.computeIfAbsent("a", key -> "1");
    long fourth = fixture.entry("a").version();

    assertTrue(0 < first && first < second && second < third && third < fourth);
  }

  @Test
  void replaceIfVersion_ofThisOrAnotherVersion_isDoneOrRefused() {
    cache.put("a", "1");
    long version = fixture.entry("a").version();

    assertFalse(cache.replaceIfVersion("a", "x", version - 1));
    assertFalse(cache.replaceIfVersion("none", "x", version));
    assertTrue(cache.replaceIfVersion("a", "2", version));
    assertFalse(cache.replaceIfVersion("a", "3", version));
    assertEquals("2", cache.get("a"));
    assertNull(cache.get("none"));
  }

  @Test
  void removeIfVersion_ofThisOrAnotherVersion_isDoneOrRefused() {
    cache.put("a", "1");
    long version = fixture.entry("a").version();

    assertFalse(cache.removeIfVersion("a", version + 1));
    assertFalse(cache.removeIfVersion("none", version));
    assertEquals("1", cache.get("a"));
    assertTrue(cache.removeIfVersion("a", version));
    assertFalse(cache.removeIfVersion("a", version));
    assertNull(cache.get("a"));
  }

  @Test
  void replaceIfVersion_afterRemovalAndReturn_isRefused() {
    cache.put("a", "1");
    long version = fixture.entry("a").version();
    cache.remove("a");
    cache.put("a", "1");

    assertFalse(cache.replaceIfVersion("a", "x", version));
    assertFalse(cache.removeIfVersion("a", version));
  }

  // Bulk

  @Test
  void getAll_ofSomeKeys_givesThePresentOnes() {
    cache.putAll(Map.of("a", "1", "b", "2", "c", "3"));

    Map<String, String> found = cache.getAll(Set.of("a", "c", "none"));

    assertEquals(Map.of("a", "1", "c", "3"), found);
    found.put("d", "4");
    assertNull(cache.get("d"));
  }

  @Test
  void putAll_withExpiry_givesItToEach() {
    cache.putAll(Map.of("a", "1", "b", "2"), new Expiry(10, Expiry.UNLIMITED));
    cache.putAll(Map.of("c", "3"), 7, TimeUnit.MILLISECONDS);

    assertEquals(10, fixture.entry("a").lifespanMillis());
    assertEquals(10, fixture.entry("b").lifespanMillis());
    assertEquals(7, fixture.entry("c").lifespanMillis());
    assertEquals(3, cache.sizeLong());
  }

  @Test
  void size_ofCache_countsLiveEntries() {
    assertTrue(cache.isEmpty());
    for (int i = 0; i < 1000; i++) {
      cache.put("k" + i, "v", new Expiry(i < 300 ? 10 : -1, -1));
    }
    assertEquals(1000, cache.size());

    fixture.env.moveClock(10);

    assertEquals(700, cache.sizeLong());
    assertEquals(700, cache.size());
    assertFalse(cache.isEmpty());
    cache.clear();
    assertTrue(cache.isEmpty());
  }

  // Values that are arrays

  @Test
  void comparisons_ofByteArrays_goByContent() {
    Cache<String, byte[]> arrays =
        fixture.node.createCache("arrays", CacheConfig.builder().storage(storage).build());
    arrays.put("a", new byte[] {1, 2});

    assertTrue(arrays.containsValue(new byte[] {1, 2}));
    assertFalse(arrays.containsValue(new byte[] {1, 3}));
    assertTrue(arrays.values().contains(new byte[] {1, 2}));
    assertTrue(arrays.entrySet().contains(Map.entry("a", new byte[] {1, 2})));
    assertFalse(arrays.replace("a", new byte[] {1}, new byte[] {9}));
    assertTrue(arrays.replace("a", new byte[] {1, 2}, new byte[] {3}));
    assertArrayEquals(new byte[] {3}, arrays.get("a"));
    assertFalse(arrays.remove("a", new byte[] {1, 2}));
    assertTrue(arrays.remove("a", new byte[] {3}));
    arrays.put("b", new byte[] {4});
    assertFalse(arrays.values().remove(new byte[] {5}));
    assertTrue(arrays.values().remove(new byte[] {4}));
    assertTrue(arrays.isEmpty());
  }

  // User functions

  @Test
  void compute_thatThrows_changesNothing() {
    cache.put("a", "1");

    assertThrows(
        ArithmeticException.class,
        () ->
            cache.compute(
                "a",
                (_, _) -> {
                  throw new ArithmeticException("on purpose");
                }));

    assertEquals("1", cache.get("a"));
    cache.put("a", "2");
    assertEquals("2", cache.get("a"));
  }

  @Test
  void compute_thatWritesTheSameKey_isRefused() {
    cache.put("a", "1");

    assertRefusedInCompute(() -> cache.put("a", "x"));
    assertRefusedInCompute(() -> cache.remove("a"));
    assertRefusedInCompute(() -> cache.merge("a", "x", String::concat));
    assertRefusedInCompute(() -> cache.entrySet().iterator().next().setValue("x"));
    assertRefusedInCompute(cache::clear);

    assertEquals("1", cache.get("a"));
    assertEquals(1, cache.size());
  }

  private void assertRefusedInCompute(Executable write) {
    List<Throwable> refusals = new ArrayList<>();
    cache.computeIfPresent(
        "a",
        (_, value) -> {
          refusals.add(assertThrows(IllegalStateException.class, write));
          return value;
        });
    assertEquals(1, refusals.size());
  }

  @Test
  void compute_thatReads_seesTheEntryAsItWas() {
    cache.put("a", "1");

    cache.compute("a", (key, value) -> cache.get(key) + value + cache.size());

    assertEquals("111", cache.get("a"));
  }

  @Test
  void computeIfAbsent_whenPresent_doesNotCallTheFunction() {
    cache.put("a", "1");

    assertEquals(
        "1",
        cache.computeIfAbsent(
            "a",
            _ -> {
              throw new AssertionError("called");
            }));
  }

  // Refusals

  @Test
  void anyOperation_withNull_isRefused() {
    cache.put("a", "1");
    String none = nothing();
    Expiry noExpiry = nothing();
    Expiry never = Expiry.NEVER;
    Map<String, String> noValue = new HashMap<>();
    noValue.put("a", none);
    List<Executable> operations =
        List.of(
            () -> cache.get(none),
            () -> cache.getEntry(none),
            () -> cache.getAll(nothing()),
            () -> cache.containsKey(none),
            () -> cache.containsValue(none),
            () -> cache.put(none, "1"),
            () -> cache.put("a", none),
            () -> cache.put("a", "1", noExpiry),
            () -> cache.putAll(nothing()),
            () -> cache.putAll(noValue, never),
            () -> cache.putIfAbsent("a", none),
            () -> cache.replace("a", none),
            () -> cache.replace("a", none, "1"),
            () -> cache.replace("a", "1", none),
            () -> cache.replaceIfVersion("a", none, 1),
            () -> cache.replaceIfVersion(none, "1", 1),
            () -> cache.remove(none),
            () -> cache.remove(none, "1"),
            () -> cache.removeIfVersion(none, 1),
            () -> cache.compute("a", nothing()),
            () -> cache.computeIfAbsent("a", nothing()),
            () -> cache.computeIfPresent("b", nothing()),
            () -> cache.merge("a", none, String::concat),
            () -> cache.merge("a", "1", nothing()),
            () -> cache.addListener(nothing()),
            () -> cache.getAsync(none),
            () -> cache.putAsync("a", none),
            () -> cache.removeAsync(none));
    for (int i = 0; i < operations.size(); i++) {
      assertThrows(NullPointerException.class, operations.get(i), "operation " + i);
    }
    assertFalse(cache.remove("a", none));
    assertEquals("1", cache.get("a"));
  }

  @Test
  void anyOperation_onRemovedCache_isRefused() {
    fixture.node.removeCache("c");
    List<Executable> operations =
        List.of(
            () -> cache.get("a"),
            () -> cache.getEntry("a"),
            () -> cache.put("a", "1"),
            () -> cache.remove("a"),
            () -> cache.compute("a", (_, v) -> v),
            cache::size,
            cache::isEmpty,
            cache::clear,
            () -> cache.keySet().iterator().hasNext(),
            () -> cache.addListener(event -> {}),
            () -> cache.addListener(event -> {}));
    for (int i = 0; i < operations.size(); i++) {
      assertThrows(FatalGridException.class, operations.get(i), "operation " + i);
    }
    assertTrue(cache.getAsync("a").isCompletedExceptionally());
    assertEquals("c", cache.name());
  }

  // Statistics

  @Test
  void stats_ofOperations_countThem() {
    cache.put("a", "1");
    cache.get("a");
    cache.get("none");
    cache.remove("a");
    cache.remove("a");

    assertEquals(new CacheStats(fixture.env.nowMillis(), 1, 1, 1, 1, 1, 0, 0), cache.stats());
    cache.resetStats();
    assertEquals(0, cache.stats().retrievals());
  }

  @Test
  void stats_whenTurnedOff_areZero() {
    Cache<String, String> silent =
        fixture.node.createCache("silent", CacheConfig.builder().storage(storage).build());
    silent.put("a", "1");
    silent.get("a");

    assertEquals(new CacheStats(0, 0, 0, 0, 0, 0, 0, 0), silent.stats());
  }

  @Test
  void cache_whenMade_tellsNameAndConfiguration() {
    assertEquals("c", cache.name());
    assertEquals(storage, cache.config().storage());
    assertEquals(8, cache.config().segments());
  }

  // Futures

  @Test
  void asyncOperations_ofLocalCache_areCompleteWithTheSameResults() {
    assertNull(cache.putAsync("a", "1").join());
    assertEquals("1", cache.putAsync("a", "2", Expiry.NEVER).join());
    assertEquals("2", cache.getAsync("a").join());
    assertEquals(fixture.entry("a"), cache.getEntryAsync("a").join());
    assertEquals(Map.of("a", "2"), cache.getAllAsync(Set.of("a", "b")).join());
    assertTrue(cache.containsKeyAsync("a").join());
    assertEquals("2", cache.putIfAbsentAsync("a", "3").join());
    assertNull(cache.putIfAbsentAsync("b", "3", Expiry.NEVER).join());
    assertEquals("2", cache.replaceAsync("a", "4").join());
    assertEquals("4", cache.replaceAsync("a", "5", Expiry.NEVER).join());
    assertTrue(cache.replaceAsync("a", "5", "6").join());
    assertTrue(cache.replaceIfVersionAsync("a", "7", fixture.entry("a").version()).join());
    assertFalse(cache.removeIfVersionAsync("a", 1).join());
    assertFalse(cache.removeAsync("a", "x").join());
    assertEquals("7", cache.removeAsync("a").join());
    assertEquals("c", ran(cache.computeIfAbsentAsync("c", key -> key)));
    assertEquals("cc", ran(cache.computeIfPresentAsync("c", String::concat)));
    assertEquals("ccc", ran(cache.computeAsync("c", (key, value) -> key + value)));
    assertEquals("ccc!", ran(cache.mergeAsync("c", "!", String::concat)));
    cache.putAllAsync(Map.of("d", "1", "e", "2")).join();
    cache.putAllAsync(Map.of("f", "1"), Expiry.NEVER).join();
    assertEquals(5, cache.sizeAsync().join());
    cache.clearAsync().join();
    assertEquals(0, cache.sizeAsync().join());
  }

  /** The result of an operation that runs on a thread of the grid. */
  private @Nullable String ran(CompletableFuture<@Nullable String> operation) {
    assertFalse(operation.isDone());
    fixture.env.runTasks();
    return operation.join();
  }

  @Test
  void asyncOperation_thatFails_completesExceptionally() {
    CompletableFuture<?> arithmetic =
        cache.computeAsync(
            "a",
            (_, _) -> {
              throw new ArithmeticException("on purpose");
            });
    CompletableFuture<?> nullPointer =
        cache.computeAsync(
            "a",
            (_, _) -> {
              throw new NullPointerException("on purpose");
            });

    fixture.env.runTasks();
    assertEquals(ArithmeticException.class, arithmetic.exceptionNow().getClass());
    assertEquals(NullPointerException.class, nullPointer.exceptionNow().getClass());
  }
}
