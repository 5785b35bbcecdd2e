package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheLoader;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
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
    assertNamed("duration", () -> cache.put("k", "v", (Duration) null));
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
    assertNamed("name", () -> grid.multimap(null));
    assertNamed("name", () -> grid.counters().strong(null));
    assertNamed("name", () -> grid.locks().lock(null));
  }
}
