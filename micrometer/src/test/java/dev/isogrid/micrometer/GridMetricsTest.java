package dev.isogrid.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class GridMetricsTest {
  private final MeterRegistry registry = new SimpleMeterRegistry();

  private double count(String name, String cache) {
    return registry.get("isogrid.cache." + name).tag("cache", cache).functionCounter().count();
  }

  private double caches() {
    return registry.get("isogrid.caches").gauge().value();
  }

  @Test
  void figures_areThoseOfTheCaches() {
    CacheConfig counted = CacheConfig.builder().statistics(true).build();
    try (Grid grid = Grid.start(GridConfig.builder().nodeName("a").build())) {
      Cache<String, String> first = grid.cache("first", counted);
      new GridMetrics(grid, Tags.of("app", "shop")).bindTo(registry);
      first.put("k", "v");
      first.get("k");
      first.get("none");
      assertEquals(1, count("hits", "first"));
      assertEquals(1, count("misses", "first"));
      assertEquals(1, count("stores", "first"));
      assertTrue(
          registry
                  .get("isogrid.cache.memory")
                  .tags("node", "a", "app", "shop", "cache", "first")
                  .gauge()
                  .value()
              > 0);
      assertEquals(0, registry.get("isogrid.off.heap").gauge().value());

      Cache<String, String> second = grid.cache("second", counted);
      second.put("k", "v");
      assertEquals(2, caches());
      assertEquals(1, count("stores", "second"));
      grid.removeCache("first");
      assertEquals(1, caches());
      assertNull(registry.find("isogrid.cache.hits").tag("cache", "first").functionCounter());
    }
    registry.getMeters().forEach(Meter::measure);
  }

  @Test
  void cacheThatIsMadeAgain_betweenTwoReadings_hasMeters() {
    CacheConfig counted = CacheConfig.builder().statistics(true).build();
    try (Grid grid = Grid.start()) {
      grid.cache("c", counted);
      new GridMetrics(grid).bindTo(registry);
      grid.removeCache("c");
      Cache<String, String> again = grid.cache("c", counted);
      again.put("k", "v");
      assertEquals(1, caches());
      assertEquals(1, count("stores", "c"));
    }
  }
}
