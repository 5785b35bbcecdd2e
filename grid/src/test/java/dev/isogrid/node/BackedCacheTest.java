package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheLoader;
import dev.isogrid.api.CacheStats;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.LoadingCache;
import dev.isogrid.api.LoadingConfig;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.StoreConfig;
import dev.isogrid.api.StoreEntry;
import dev.isogrid.base.FakeEnv;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A cache of one node that reads from a store outside, and writes through to it. */
@ParameterizedClass
@EnumSource(StorageType.class)
class BackedCacheTest {
  private final StorageType storage;
  private final FakeEnv env = new FakeEnv();
  private final Node node = Node.start(GridConfig.builder().nodeName("n").build(), env.env());
  private final MapStore store = new MapStore();

  BackedCacheTest(StorageType storage) {
    this.storage = storage;
  }

  @AfterEach
  void close() {
    node.close();
  }

  private CacheConfig.Builder config(StoreConfig.Builder backing) {
    return CacheConfig.builder()
        .storage(storage)
        .segments(8)
        .statistics(true)
        .store(backing.build());
  }

  private Cache<String, String> cache() {
    Cache<String, String> cache = node.createCache("c", config(StoreConfig.of(store)).build());
    store.calls.clear();
    return cache;
  }

  private List<String> calls() {
    List<String> taken = List.copyOf(store.calls);
    store.calls.clear();
    return taken;
  }

  @Test
  void get_loadsWhatIsNotInMemory_once() {
    Cache<String, String> cache = cache();
    store.have("k", "v");
    assertEquals("v", cache.get("k"));
    assertEquals("v", cache.get("k"));
    assertEquals(List.of("load k"), calls());
    assertNull(cache.get("none"));
    assertEquals(1, cache.size());
    CacheStats stats = cache.stats();
    assertEquals(List.of(2L, 1L, 0L), List.of(stats.hits(), stats.misses(), stats.stores()));
    assertEquals(List.of(1L, 1L), List.of(stats.storeLoads(), stats.storeMisses()));
  }

  @Test
  void getEntry_andContainsKey_seeTheStore() {
    Cache<String, String> cache = cache();
    store.have("k", "v");
    store.have("l", "w");
    assertTrue(cache.containsKey("k"));
    assertEquals("w", Objects.requireNonNull(cache.getEntry("l")).value());
    assertFalse(cache.containsKey("none"));
  }

  @Test
  void put_writesTheStore_andReadsIt_ifItReturnsTheOldValue() {
    Cache<String, String> cache = cache();
    store.have("k", "old");
    assertEquals("old", cache.put("k", "new"));
    assertEquals("new", store.value("k"));
    assertEquals(List.of("load k", "write [k]"), calls());
    assertEquals("new", cache.put("k", "newer"));
    assertEquals(List.of("write [k]"), calls());
    assertEquals(2, cache.stats().stores());
  }

  @Test
  void remove_deletesInTheStore_alsoWhatIsNotInMemory() {
    Cache<String, String> cache = cache();
    store.have("k", "v");
    assertEquals("v", cache.remove("k"));
    assertEquals(List.of("load k", "delete [k]"), calls());
    assertNull(cache.remove("k"));
    assertEquals(List.of("load k"), calls());
    assertNull(cache.get("k"));
  }

  @Test
  void conditions_dependOnWhatTheStoreHas() {
    Cache<String, String> cache = cache();
    store.have("k", "v");
    assertEquals("v", cache.putIfAbsent("k", "other"));
    assertTrue(cache.replace("k", "v", "w"));
    assertFalse(cache.replace("k", "v", "x"));
    assertNull(cache.replace("none", "x"));
    assertEquals(List.of("load k", "write [k]", "load none"), calls());
    assertFalse(cache.remove("k", "v"));
    assertTrue(cache.remove("k", "w"));
    assertEquals(List.of("delete [k]"), calls());
  }

  @Test
  void computations_dependOnWhatTheStoreHas() {
    Cache<String, String> cache = cache();
    store.have("k", "1");
    assertEquals("12", cache.merge("k", "2", String::concat));
    assertEquals("12", store.value("k"));
    assertEquals("12", cache.computeIfAbsent("k", _ -> "x"));
    assertEquals("y", cache.computeIfAbsent("none", _ -> "y"));
    assertNull(cache.computeIfPresent("k", (_, _) -> null));
    assertNull(store.value("k"));
    assertEquals("y", store.value("none"));
    assertNull(cache.computeIfPresent("gone", (_, old) -> old + "!"));
  }

  @Test
  void computation_mayReadItsOwnKey() {
    Cache<String, String> cache = cache();
    store.have("k", "1");
    assertEquals("11", cache.compute("k", (key, old) -> old + cache.get(key)));
    assertEquals("11", store.value("k"));
  }

  @Test
  void write_thatTheStoreRefuses_failsAndLeavesMemory() {
    Cache<String, String> cache = cache();
    cache.put("k", "v");
    store.failure = "disk full";
    var failure = assertThrows(RetryableGridException.class, () -> cache.put("k", "w"));
    assertTrue(String.valueOf(failure.getMessage()).contains("reason=disk full"));
    assertThrows(RetryableGridException.class, () -> cache.remove("k"));
    assertThrows(RetryableGridException.class, () -> cache.putAll(Map.of("k", "w", "l", "w")));
    assertThrows(RetryableGridException.class, cache::clear);
    assertEquals("v", cache.get("k"), "memory is as it was");
    assertThrows(RetryableGridException.class, () -> cache.get("l"));
    store.failure = null;
    assertNull(cache.get("l"));
    cache.put("k", "w");
    assertEquals("w", store.value("k"));
  }

  @Test
  void loadingCache_storesWhatItLoads() {
    Cache<String, String> cache = cache();
    store.have("a", "1");
    CacheLoader<String, String> loader = key -> key.equals("none") ? null : key + "!";
    LoadingCache<String, String> loading = cache.loading(loader, LoadingConfig.DEFAULT);
    assertEquals("1", loading.get("a"));
    assertEquals("b!", loading.get("b"));
    assertEquals("b!", store.value("b"));
    assertEquals(
        Map.of("a", "1", "b", "b!", "c", "c!"), loading.getAll(Set.of("a", "b", "c", "none")));
    assertEquals("c!", store.value("c"));
  }

  @Test
  void putAll_writesABatch() {
    Cache<String, String> cache = cache();
    cache.putAll(Map.of("a", "1", "b", "2", "c", "3"));
    assertEquals(List.of("write [a, b, c]"), calls());
    assertEquals(3, cache.size());
    assertEquals(3, cache.stats().stores());
  }

  @Test
  void getAll_loadsABatch() {
    Cache<String, String> cache = cache();
    cache.put("a", "1");
    store.have("b", "2");
    store.have("c", "3");
    calls();
    assertEquals(Map.of("a", "1", "b", "2", "c", "3"), cache.getAll(Set.of("a", "b", "c", "none")));
    assertEquals(List.of("loadAll [b, c, none]"), calls());
    assertEquals(Map.of("b", "2", "c", "3"), cache.getAll(Set.of("b", "c")));
    assertEquals(List.of(), calls());
    assertEquals(List.of(5L, 1L), List.of(cache.stats().hits(), cache.stats().misses()));
    assertEquals(1, cache.stats().stores());
  }

  @Test
  void clear_clearsTheStore() {
    Cache<String, String> cache = cache();
    cache.put("a", "1");
    store.have("b", "2");
    cache.clear();
    assertEquals(Map.of(), store.entries);
    assertNull(cache.get("a"));
    assertNull(cache.get("b"));
  }

  @Test
  void expiry_isInTheStore_andHoldsForWhatIsLoaded() {
    Cache<String, String> cache = cache();
    cache.put("k", "v", Expiry.lifespan(10, TimeUnit.SECONDS));
    long until = Objects.requireNonNull(store.entries.get("k")).expiryMillis();
    assertEquals(env.env().epochClock().millis() + 10_000, until);
    store.entries.put("l", StoreEntry.until("l", "w", until));
    assertEquals("w", cache.get("l"));
    env.advance(9999);
    assertEquals("w", cache.get("l"));
    env.advance(1);
    assertNull(cache.get("k"));
    assertNull(cache.get("l"));
    assertNull(cache.put("l", "x"), "an expired entry of the store is none");
  }

  @Test
  void lifespanThatNeverEnds_endsNeverInTheStore() {
    Cache<String, String> cache = cache();
    cache.put("k", "v", Long.MAX_VALUE, TimeUnit.DAYS);
    cache.put("l", "w", Expiry.NEVER);
    long now = env.env().epochClock().millis();
    assertEquals(Long.MAX_VALUE, Objects.requireNonNull(store.entries.get("k")).expiryMillis());
    assertFalse(Objects.requireNonNull(store.entries.get("k")).isExpired(now));
    assertEquals(Expiry.UNLIMITED, Objects.requireNonNull(store.entries.get("l")).expiryMillis());
  }

  @Test
  void evictedEntries_areLoadedAgain() {
    Cache<String, String> cache =
        node.createCache("e", config(StoreConfig.of(store)).maxCount(10).build());
    for (int i = 0; i < 100; i++) {
      cache.put("k" + i, "v" + i);
    }
    assertTrue(cache.size() <= 10);
    for (int i = 0; i < 100; i++) {
      assertEquals("v" + i, cache.get("k" + i));
    }
    assertEquals("v3", cache.replace("k3", "w"));
    assertEquals("w", store.value("k3"));
  }

  @Test
  void preload_loadsAll_asFarAsTheBoundGoes() {
    for (int i = 0; i < 20; i++) {
      store.have("k" + i, "v");
    }
    Cache<String, String> all =
        node.createCache("all", config(StoreConfig.of(store).preload(true)).build());
    assertEquals(20, all.size());
    assertEquals(0, all.stats().stores());
    calls();
    assertEquals("v", all.get("k7"));
    assertEquals(List.of(), calls());
    Cache<String, String> some =
        node.createCache("some", config(StoreConfig.of(store).preload(true)).maxCount(5).build());
    assertEquals(5, some.size());
  }

  @Test
  void purge_clearsTheStore_whenTheCacheIsCreated() {
    store.have("k", "v");
    Cache<String, String> cache =
        node.createCache("c", config(StoreConfig.of(store).purge(true)).build());
    assertNull(cache.get("k"));
    assertEquals(Map.of(), store.entries);
  }

  @Test
  void readOnly_writesMemoryOnly() {
    store.have("k", "v");
    Cache<String, String> cache =
        node.createCache("c", config(StoreConfig.of(store).readOnly(true)).build());
    assertEquals("v", cache.put("k", "w"));
    assertEquals("w", cache.get("k"));
    cache.remove("k");
    assertEquals("v", cache.get("k"));
    cache.clear();
    assertEquals("v", store.value("k"));
  }

  @Test
  void store_thatCannotBeOpened_refusesTheCache() {
    store.failure = "no route to host";
    var failure =
        assertThrows(
            RetryableGridException.class,
            () -> node.createCache("c", config(StoreConfig.of(store)).build()));
    assertTrue(String.valueOf(failure.getMessage()).contains("reason=no route to host"));
    assertNull(node.findCache("c"));
    store.failure = null;
    assertNull(cache().get("k"));
  }

  @Test
  void removeCache_closesTheStore_andKeepsItsEntries() {
    Cache<String, String> cache = cache();
    cache.put("k", "v");
    assertTrue(store.isOpen);
    node.removeCache("c");
    assertFalse(store.isOpen);
    assertEquals("v", store.value("k"));
  }

  @Test
  void streams_andSize_seeWhatIsInMemory() {
    Cache<String, String> cache = cache();
    store.have("k", "v");
    cache.put("a", "1");
    assertEquals(1, cache.size());
    assertEquals(Set.of("a"), Set.copyOf(cache.keySet()));
  }
}
