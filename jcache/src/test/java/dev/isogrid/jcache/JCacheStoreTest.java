package dev.isogrid.jcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.StoreConfig;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** JCache's loaders and writers as the store of a grid's cache. */
class JCacheStoreTest {
  private static final Map<String, Integer> PRICES = new ConcurrentHashMap<>();
  private static final AtomicBoolean FAILS = new AtomicBoolean();

  /** Loads prices. */
  public static final class PriceLoader implements CacheLoader<String, Integer> {
    /** For grids, which know the class by its name. */
    public PriceLoader() {}

    @Override
    public @Nullable Integer load(String key) {
      return PRICES.get(key);
    }

    @Override
    public Map<String, Integer> loadAll(Iterable<? extends String> keys) {
      Map<String, Integer> found = new HashMap<>(Map.of("other", 0));
      keys.forEach(key -> found.put(key, PRICES.get(key)));
      return found;
    }
  }

  /** Writes prices. */
  public static final class PriceWriter implements CacheWriter<String, Integer> {
    /** For grids, which know the class by its name. */
    public PriceWriter() {}

    @Override
    public void write(javax.cache.Cache.Entry<? extends String, ? extends Integer> entry) {
      if (FAILS.get()) {
        throw new IllegalStateException("on purpose");
      }
      PRICES.put(entry.getKey(), entry.getValue());
    }

    @Override
    public void writeAll(
        Collection<javax.cache.Cache.Entry<? extends String, ? extends Integer>> entries) {
      entries.forEach(this::write);
      entries.clear();
    }

    @Override
    public void delete(Object key) {
      PRICES.remove((String) key);
    }

    @Override
    public void deleteAll(Collection<?> keys) {
      keys.forEach(this::delete);
      keys.clear();
    }
  }

  private final Grid grid = Grid.start();

  @BeforeEach
  void fill() {
    PRICES.clear();
    PRICES.putAll(Map.of("tea", 3, "coffee", 4));
    FAILS.set(false);
  }

  @AfterEach
  void close() {
    grid.close();
  }

  private Cache<String, Integer> cache(StoreConfig.Builder store) {
    return grid.cache(
        "prices",
        CacheConfig.builder().storage(StorageType.HEAP_BINARY).store(store.build()).build());
  }

  @Test
  void loaderAndWriter_areReadAndWrittenThrough() {
    for (StoreConfig.Builder store :
        Set.of(
            JCacheStore.of(new PriceLoader(), new PriceWriter()),
            JCacheStore.named(PriceLoader.class, PriceWriter.class))) {
      fill();
      Cache<String, Integer> cache = cache(store);
      assertEquals(3, cache.get("tea"));
      assertNull(cache.get("milk"));
      assertEquals(Map.of("tea", 3, "coffee", 4), cache.getAll(Set.of("tea", "coffee", "milk")));
      cache.put("milk", 1);
      cache.putAll(Map.of("beer", 5, "wine", 6));
      assertEquals(4, cache.remove("coffee"));
      assertEquals(Map.of("tea", 3, "milk", 1, "beer", 5, "wine", 6), PRICES);
      FAILS.set(true);
      assertThrows(RetryableGridException.class, () -> cache.put("tea", 33));
      assertEquals(3, cache.get("tea"));
      cache.clear();
      assertEquals(4, PRICES.size());
      grid.removeCache("prices");
    }
  }

  @Test
  void loaderAlone_leavesWritesInMemory() {
    Cache<String, Integer> cache = cache(JCacheStore.of(new PriceLoader(), null));
    assertEquals(3, cache.put("tea", 30));
    assertEquals(30, cache.get("tea"));
    assertEquals(3, PRICES.get("tea"));
  }

  @Test
  void writerThatIsMissing_isNamed() {
    Cache<String, Integer> cache =
        cache(JCacheStore.named(PriceLoader.class, null).readOnly(false));
    String failure =
        assertThrows(RetryableGridException.class, () -> cache.put("tea", 30)).getMessage();
    assertTrue(String.valueOf(failure).contains(JCacheStore.WRITER), failure);
  }
}
