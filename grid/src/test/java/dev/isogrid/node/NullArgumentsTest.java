package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheAuthorization;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheLoader;
import dev.isogrid.api.CacheStream;
import dev.isogrid.api.ChangeToken;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.CounterConfig;
import dev.isogrid.api.Counters;
import dev.isogrid.api.DistributedSemaphore;
import dev.isogrid.api.DoubleCacheStream;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.FencedLock;
import dev.isogrid.api.FileStore;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.IntCacheStream;
import dev.isogrid.api.LoadingCache;
import dev.isogrid.api.LoadingConfig;
import dev.isogrid.api.Locks;
import dev.isogrid.api.LongCacheStream;
import dev.isogrid.api.MergePolicy;
import dev.isogrid.api.MultimapCache;
import dev.isogrid.api.StoreConfig;
import dev.isogrid.api.StrongCounter;
import dev.isogrid.api.WeakCounter;
import dev.isogrid.testkit.NullArguments;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@SuppressWarnings("NullAway") // what callers without the checker do
class NullArgumentsTest {
  private final Grid grid = Grid.start();
  private final Cache<String, String> cache = grid.cache("c");

  @AfterEach
  void close() {
    grid.close();
  }

  private static void assertNamed(String name, Executable call) {
    assertEquals(name, assertThrows(NullPointerException.class, call).getMessage());
  }

  /** Forgets what it has to return. */
  private static final class MaplessLoader implements CacheLoader<String, String> {
    @Override
    public String load(String key) {
      return "v";
    }

    @Override
    public Map<String, String> loadAll(Set<? extends String> keys) {
      return null;
    }
  }

  @Test
  void nullArguments_areNamed() {
    assertNamed("name", () -> grid.cache(null));
    assertNamed("key", () -> cache.get(null));
    assertNamed("key", () -> cache.remove(null));
    assertNamed("value", () -> cache.put("k", null));
    assertNamed("key", () -> cache.put(null, "v"));
    assertNamed("key", () -> cache.computeIfAbsent(null, key -> "v"));
    assertNamed("key", () -> cache.putAsync(null, "v"));
    assertNamed("listener", () -> cache.addListener(null));
    assertNamed("value", () -> cache.containsValue(null));
    assertNamed("config", () -> grid.cache("other", null));
    assertNamed("map", () -> cache.putAll(null));
    assertNamed("map", () -> cache.putAllAsync(null));
    assertNamed("keys", () -> cache.getAll(null));
    assertNamed("keys", () -> cache.getAllAsync(null));
    assertNamed("expiry", () -> cache.put("k", "v", (Expiry) null));
    assertNamed("expiry", () -> cache.putIfAbsent("k", "v", (Expiry) null));
    assertNamed("lifespan", () -> cache.put("k", "v", (Duration) null));
    assertNamed("unit", () -> cache.put("k", "v", 1, null));
    assertNamed("processor", () -> cache.invoke("k", null));
    assertNamed("processor", () -> cache.invokeAll(Set.of(), null));
    assertNamed("keys", () -> cache.invokeAll((Set<String>) null, entry -> "v"));
    assertNamed("loader", () -> cache.loading(null));
    assertNamed("keys", () -> cache.loading(key -> "v").getAll(null));
    assertNamed(
        "loadAll gave no map", () -> cache.loading(new MaplessLoader()).getAll(Set.of("k")));
    assertNamed("nodeName", () -> GridConfig.builder().nodeName(null).build());
    assertNamed("clusterName", () -> GridConfig.builder().clusterName(null).build());
    assertNamed("allowedPackages", () -> GridConfig.builder().allowedPackages(null).build());
    assertNamed("seeds", () -> ClusterConfig.builder().seeds(null).build());
    assertNamed("cacheName", () -> grid.multimap(null));
    assertNamed("name", () -> grid.counters().strong(null));
    assertNamed("name", () -> grid.locks().lock(null));
  }

  private static NullArguments calls() {
    return new NullArguments("close", "equals", "build", "reduce.identity")
        .with(CacheConfig.class, CacheConfig.builder().build())
        .with(ChangeToken.class, ChangeToken.LATEST)
        .with(CounterConfig.class, CounterConfig.strong(0))
        .with(Duration.class, Duration.ofSeconds(1))
        .with(Expiry.class, Expiry.DEFAULT)
        .with(LoadingConfig.class, LoadingConfig.DEFAULT)
        .with(MergePolicy.class, MergePolicy.NONE)
        .with(CacheAuthorization.class, CacheAuthorization.ALL_ROLES)
        .with(Path.class, Path.of("none"));
  }

  @Test
  void allMethodsOfCachesAndStructures_nameANullArgument() {
    cache.put("x", "v");
    grid.counters().define("s", CounterConfig.strong(0));
    grid.counters().define("w", CounterConfig.weak(0));
    NullArguments calls = calls();
    calls.check(Grid.class, () -> grid);
    calls.check(Cache.class, () -> cache);
    calls.check(LoadingCache.class, () -> cache.loading(key -> "v"));
    calls.check(CacheStream.class, () -> cache.values().stream());
    calls.check(IntCacheStream.class, () -> cache.values().stream().mapToInt(String::length));
    calls.check(LongCacheStream.class, () -> cache.values().stream().mapToLong(String::length));
    calls.check(DoubleCacheStream.class, () -> cache.values().stream().mapToDouble(v -> 1));
    calls.check(Counters.class, () -> grid.counters());
    calls.check(StrongCounter.class, () -> grid.counters().strong("s"));
    calls.check(WeakCounter.class, () -> grid.counters().weak("w"));
    calls.check(MultimapCache.class, () -> grid.multimap("m"));
    calls.check(Locks.class, grid::locks);
    calls.check(FencedLock.class, () -> grid.locks().lock("l"));
    calls.check(DistributedSemaphore.class, () -> grid.locks().semaphore("p", 1));
    calls.assertAllNamed();
  }

  @Test
  void configurations_nameANullArgument() {
    NullArguments calls = calls();
    calls.check(CacheConfig.Builder.class, CacheConfig::builder);
    calls.check(GridConfig.Builder.class, GridConfig::builder);
    calls.check(ClusterConfig.Builder.class, ClusterConfig::builder);
    calls.check(FileStore.Builder.class, FileStore::builder);
    calls.check(Expiry.class, () -> Expiry.DEFAULT);
    calls.check(LoadingConfig.class, () -> LoadingConfig.DEFAULT);
    calls.checkStatic(Expiry.class);
    calls.checkStatic(StoreConfig.class);
    calls.assertAllNamed();
  }
}
