package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEntry;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.StorageType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The life of entries, over every storage. */
@ParameterizedClass
@EnumSource(StorageType.class)
class EmbeddedCacheExpiryTest {
  private static final Expiry OWN = new Expiry(70, 30);

  private final StorageType storage;
  private final CacheFixture fixture;
  private final Cache<String, String> cache;

  EmbeddedCacheExpiryTest(StorageType storage) {
    this.storage = storage;
    fixture = new CacheFixture(storage);
    cache = fixture.cache;
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private void assertTimes(long lifespanMillis, long maxIdleMillis, String key) {
    CacheEntry<String, String> entry = fixture.entry(key);
    assertEquals(lifespanMillis, entry.lifespanMillis());
    assertEquals(maxIdleMillis, entry.maxIdleMillis());
  }

  /** Stores in every way that takes an expiry, one key each. */
  private static List<String> storeInEveryWay(Cache<String, String> cache, Expiry expiry) {
    List<String> keys =
        List.of("put", "all", "absent", "replace", "equal", "version", "cPresent", "c", "merge");
    keys.forEach(key -> cache.put(key, "old", Expiry.NEVER));
    cache.remove("absent");
    cache.put("put", "v", expiry);
    cache.putAll(Map.of("all", "v"), expiry);
    assertNull(cache.putIfAbsent("absent", "v", expiry));
    assertEquals("old", cache.replace("replace", "v", expiry));
    assertTrue(cache.replace("equal", "old", "v", expiry));
    CacheEntry<String, String> entry = cache.getEntry("version");
    assertTrue(entry != null && cache.replaceIfVersion("version", "v", entry.version(), expiry));
    cache.computeIfPresent("cPresent", (_, _) -> "v", expiry);
    cache.compute("c", (_, _) -> "v", expiry);
    cache.merge("merge", "v", (_, v) -> v, expiry);
    cache.merge("merge2", "v", (_, v) -> v, expiry);
    cache.computeIfAbsent("cAbsent", _ -> "v", expiry);
    List<String> all = new ArrayList<>(keys);
    all.addAll(List.of("merge2", "cAbsent"));
    return all;
  }

  @Test
  void everyWrite_withExpiry_givesItToTheEntry() {
    for (String key : storeInEveryWay(cache, OWN)) {
      assertTimes(70, 30, key);
      assertEquals("v", cache.get(key));
    }
    fixture.env.moveClock(30);
    assertEquals(0, cache.size());
  }

  @Test
  void everyWrite_withDefaultExpiry_takesTheConfigured() {
    CacheConfig config =
        CacheConfig.builder()
            .storage(storage)
            .lifespan(50, TimeUnit.MILLISECONDS)
            .maxIdle(20, TimeUnit.MILLISECONDS)
            .build();
    Cache<String, String> mortal = fixture.node.createCache("mortal", config);
    List<String> keys = storeInEveryWay(mortal, Expiry.DEFAULT);
    mortal.put("plain", "v");
    mortal.put("never", "v", Expiry.NEVER);
    mortal.put("lifespan", "v", 500, TimeUnit.MILLISECONDS);

    for (String key : keys) {
      CacheEntry<String, String> entry = mortal.getEntry(key);
      assertEquals("50,20", entry == null ? "" : times(entry), key);
    }
    fixture.env.moveClock(20);
    assertEquals(List.of("never"), List.copyOf(mortal.keySet()));
  }

  private static String times(CacheEntry<?, ?> entry) {
    return entry.lifespanMillis() + "," + entry.maxIdleMillis();
  }

  @Test
  void plainWrites_afterMortalOnes_makeTheEntryImmortal() {
    List<Runnable> writes =
        List.of(
            () -> cache.put("a", "2"),
            () -> cache.replace("a", "2"),
            () -> cache.replace("a", "1", "2"),
            () -> cache.compute("a", (_, _) -> "2"),
            () -> cache.computeIfPresent("a", (_, _) -> "2"),
            () -> cache.merge("a", "2", (_, v) -> v),
            () -> cache.putAll(Map.of("a", "2")));
    for (Runnable write : writes) {
      cache.put("a", "1", OWN);
      write.run();
      assertTimes(-1, -1, "a");
      assertEquals("2", cache.get("a"));
    }
  }

  @Test
  void writesThatAreRefused_keepTheTimes() {
    cache.put("a", "1", OWN);

    cache.putIfAbsent("a", "2", Expiry.NEVER);
    cache.replace("a", "x", "2", Expiry.NEVER);
    cache.replaceIfVersion("a", "2", 1, Expiry.NEVER);
    cache.computeIfAbsent("a", _ -> "2", Expiry.NEVER);

    assertTimes(70, 30, "a");
  }

  @Test
  void timeUnits_ofEveryOverload_becomeMilliseconds() {
    cache.put("put", "v", 2, TimeUnit.SECONDS);
    cache.put("both", "v", 2, TimeUnit.SECONDS, 1, TimeUnit.SECONDS);
    cache.put("negative", "v", -7, TimeUnit.SECONDS, -9, TimeUnit.DAYS);
    cache.putIfAbsent("absent", "v", 3, TimeUnit.MINUTES);
    cache.put("replace", "v");
    cache.replace("replace", "v", 4, TimeUnit.HOURS);
    cache.put("duration", "v", Expiry.lifespan(Duration.ofSeconds(5)));
    cache.put("micros", "v", 1999, TimeUnit.MICROSECONDS);
    cache.put("idle", "v", Expiry.DEFAULT.withMaxIdle(6, TimeUnit.SECONDS));

    assertTimes(2000, -1, "put");
    assertTimes(2000, 1000, "both");
    assertTimes(-1, -1, "negative");
    assertTimes(180_000, -1, "absent");
    assertTimes(14_400_000, -1, "replace");
    assertTimes(5000, -1, "duration");
    assertTimes(1, -1, "micros");
    assertTimes(-1, 6000, "idle");
  }

  @Test
  void expiredEntry_byEveryOperation_isNotThere() {
    List<Runnable> operations =
        List.of(
            () -> assertNull(cache.get("a")),
            () -> assertNull(cache.getEntry("a")),
            () -> assertFalse(cache.containsKey("a")),
            () -> assertFalse(cache.containsValue("1")),
            () -> assertEquals(Map.of(), cache.getAll(Set.of("a"))),
            () -> assertEquals(0, cache.size()),
            () -> assertEquals(List.of(), List.copyOf(cache.values())),
            () -> assertNull(cache.put("a", "2")),
            () -> assertNull(cache.putIfAbsent("a", "2")),
            () -> assertNull(cache.replace("a", "2")),
            () -> assertFalse(cache.replace("a", "1", "2")),
            () -> assertNull(cache.remove("a")),
            () -> assertFalse(cache.remove("a", "1")),
            () -> assertEquals("null", cache.compute("a", (_, v) -> String.valueOf(v))),
            () -> assertEquals("2", cache.computeIfAbsent("a", _ -> "2")),
            () -> assertNull(cache.computeIfPresent("a", (_, v) -> v)),
            () -> assertEquals("2", cache.merge("a", "2", String::concat)));
    for (Runnable operation : operations) {
      cache.put("a", "1", new Expiry(10, -1));
      fixture.env.moveClock(10);
      operation.run();
      cache.clear();
    }
  }

  @Test
  void reads_ofEntryWithMaxIdle_postponeItsEnd() {
    List<Runnable> reads =
        List.of(
            () -> cache.get("a"),
            () -> cache.getEntry("a"),
            () -> assertTrue(cache.containsKey("a")));
    for (Runnable read : reads) {
      cache.put("a", "1", new Expiry(-1, 10));
      for (int i = 0; i < 3; i++) {
        fixture.env.moveClock(9);
        read.run();
      }
      fixture.env.moveClock(9);
      assertEquals("1", cache.get("a"));
      fixture.env.moveClock(10);
      assertNull(cache.get("a"));
    }
  }

  @Test
  void overwriting_ofMortalEntry_beginsItsTimesAgain() {
    cache.put("a", "1", new Expiry(10, -1));
    fixture.env.moveClock(9);
    cache.put("a", "2", new Expiry(10, -1));
    fixture.env.moveClock(9);

    assertEquals("2", cache.get("a"));
    fixture.env.moveClock(1);
    assertNull(cache.get("a"));
  }

  @Test
  void reaper_ofConfiguredInterval_removesWithoutAccess() {
    cache.put("a", "1", new Expiry(10, -1));

    fixture.env.advance(cache.config().reaperIntervalMillis());

    assertEquals(1, cache.stats().expirations());
  }
}
