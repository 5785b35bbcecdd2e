package dev.isogrid.micrometer;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheStats;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridException;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * The figures of a grid inside this process, as far as they are of this node; reading them asks no
 * other node. Each has a tag {@code node}, those of a cache a tag {@code cache} besides.
 *
 * <pre>
 * isogrid.caches              number of caches
 * isogrid.off.heap            bytes off the heap that the node has reserved
 * isogrid.cache.memory        bytes of the entries
 * isogrid.cache.hits, misses, stores, remove.hits, remove.misses, expirations, evictions,
 * isogrid.cache.store.loads, store.misses
 *                             as {@link CacheStats} counts them; 0 if statistics are off
 * </pre>
 *
 * {@snippet :
 * new GridMetrics(grid).bindTo(registry);
 * }
 *
 * <p>Caches that are made later are found when {@code isogrid.caches} is read, which is at the next
 * publication. After the grid was closed its figures are not numbers. Thread-safe.
 */
public final class GridMetrics implements MeterBinder {
  private static final Map<String, ToLongFunction<CacheStats>> COUNTS =
      Map.of(
          "hits", CacheStats::hits,
          "misses", CacheStats::misses,
          "stores", CacheStats::stores,
          "remove.hits", CacheStats::removeHits,
          "remove.misses", CacheStats::removeMisses,
          "expirations", CacheStats::expirations,
          "evictions", CacheStats::evictions,
          "store.loads", CacheStats::storeLoads,
          "store.misses", CacheStats::storeMisses);

  private final Grid grid;
  private final Tags tags;

  /** Those of a grid, which must stay open as long as they are read. */
  public GridMetrics(Grid grid) {
    this(grid, Tags.empty());
  }

  /** The same with more tags. */
  public GridMetrics(Grid grid, Iterable<Tag> tags) {
    this.grid = Objects.requireNonNull(grid, "grid");
    this.tags = Tags.of("node", grid.nodeName()).and(tags);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder("isogrid.off.heap", grid, orNaN(g -> g.offHeapUse().reservedBytes()))
        .description("Memory off the heap that the node has reserved")
        .baseUnit("bytes")
        .tags(tags)
        .register(registry);
    new CacheMeters<Cache<?, ?>>(registry, this::caches, cache -> bind(cache, registry))
        .bind("isogrid.caches", "Caches on this node", tags);
  }

  private Map<String, Cache<?, ?>> caches() {
    Map<String, Cache<?, ?>> found = new HashMap<>();
    try {
      for (String name : grid.cacheNames()) {
        Cache<?, ?> cache = grid.findCache(name);
        if (cache != null) {
          found.put(name, cache);
        }
      }
    } catch (GridException closed) {
      return Map.of();
    }
    return found;
  }

  /** A closed grid, or a removed cache, has no figures. */
  private static <T> ToDoubleFunction<T> orNaN(ToLongFunction<T> figure) {
    return measured -> {
      try {
        return figure.applyAsLong(measured);
      } catch (GridException closed) {
        return Double.NaN;
      }
    };
  }

  private List<Meter> bind(Cache<?, ?> cache, MeterRegistry registry) {
    List<Meter> meters = new ArrayList<>();
    Tags own = tags.and("cache", cache.name());
    meters.add(
        Gauge.builder("isogrid.cache.memory", cache, orNaN(c -> c.memoryUse().allocatedBytes()))
            .description("Memory of the entries on this node")
            .baseUnit("bytes")
            .tags(own)
            .register(registry));
    COUNTS.forEach((name, count) ->
        meters.add(
            FunctionCounter.builder(
                    "isogrid.cache." + name, cache, orNaN(c -> count.applyAsLong(c.stats())))
                .description("As CacheStats counts them")
                .tags(own)
                .register(registry)));
    return meters;
  }
}
