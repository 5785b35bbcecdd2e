package dev.isogrid.server.net;

import dev.isogrid.api.CacheMode;
import dev.isogrid.api.CacheStats;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.server.net.CacheLatencies.Kind;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.topology.Topology;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Figures under the names of Infinispan's servers, for existing dashboards and alerts: gauges with
 * the label {@code cache}. Figures that have another meaning here, or none, are left out.
 * Thread-safe.
 */
final class InfinispanNames {
  private static final double MILLIS_PER_SECOND = 1000;

  /** The name of the container, a constant. */
  private static final String CONTAINER = "default";

  private final ServerContext context;

  InfinispanNames(ServerContext context) {
    this.context = context;
  }

  /** Adds the figures of the server. */
  void bindServer(PrometheusMeterRegistry target) {
    Tags tags = Tags.of("cache_manager", CONTAINER);
    Gauge.builder("infinispan.cluster.size", context, InfinispanNames::members)
        .description("Nodes of the cluster, as far as this one knows")
        .tags(tags)
        .register(target);
    Gauge.builder(
            "infinispan.cache.manager.running.cache.count",
            context,
            c -> c.node().cacheNames().size())
        .description("Caches that there are")
        .tags(tags)
        .register(target);
    target.getPrometheusRegistry().register(new LegacyNames(context, target));
  }

  private static double members(ServerContext context) {
    Topology topology = context.topology().get();
    return topology == null ? 1 : topology.members().size();
  }

  /** Adds the figures of a cache that has statistics. */
  void bindCache(
      PrometheusMeterRegistry target,
      String name,
      CacheEngine<BinaryKey, Bytes> engine,
      List<Meter> meters) {
    Figures figures =
        new Figures(target, Tags.of("cache", name, "cache_manager", CONTAINER), engine, meters);
    bindEntries(figures);
    figures.count("hits", CacheStats::hits);
    figures.count("misses", CacheStats::misses);
    figures.count("stores", CacheStats::stores);
    figures.count("retrievals", CacheStats::retrievals);
    figures.count("remove.hits", CacheStats::removeHits);
    figures.count("remove.misses", CacheStats::removeMisses);
    figures.count("evictions", CacheStats::evictions);
    figures.count("hit.ratio", stats -> ratio(stats.hits(), stats.retrievals()));
    figures.count("read.write.ratio", stats -> ratio(stats.retrievals(), stats.stores()));
    figures.count(
        "time.since.reset",
        stats -> Math.max(0, (engine.nowMillis() - stats.startedMillis()) / MILLIS_PER_SECOND));
    CacheLatencies latencies = context.traffic().latencies().of(engine);
    bindAverage(figures, "read", latencies, Kind.GET);
    bindAverage(figures, "write", latencies, Kind.PUT);
    bindAverage(figures, "remove", latencies, Kind.REMOVE);
  }

  private void bindEntries(Figures figures) {
    ToDoubleFunction<CacheEngine<BinaryKey, Bytes>> size = CacheEngine::approximateSize;
    figures.of("approximate.entries", size);
    figures.of("approximate.entries.in.memory", size);
    figures.of("approximate.entries.unique", CacheEngine::approximatePrimarySize);
    figures.of("data.memory.used", e -> e.memoryUse().allocatedBytes());
    figures.of("required.minimum.number.of.nodes", this::nodesNeeded);
  }

  /** The nodes with which no entry is lost: all copies of an entry can be on those that leave. */
  private double nodesNeeded(CacheEngine<BinaryKey, Bytes> engine) {
    CacheMode mode = engine.config().mode();
    boolean isDistributed = mode == CacheMode.DIST_SYNC || mode == CacheMode.DIST_ASYNC;
    return isDistributed ? Math.max(1, members(context) - engine.config().owners() + 1) : 1;
  }

  private static void bindAverage(
      Figures figures, String what, CacheLatencies latencies, Kind kind) {
    figures.of(
        "average." + what + ".time",
        _ -> TimeUnit.NANOSECONDS.toMillis(latencies.snapshot(null, kind).meanNanos()));
    figures.of("average." + what + ".time.nanos", _ -> latencies.snapshot(null, kind).meanNanos());
  }

  private static double ratio(long part, long whole) {
    return whole == 0 ? 0 : (double) part / whole;
  }

  /** Registers the figures of one cache. */
  private record Figures(
      PrometheusMeterRegistry target,
      Tags tags,
      CacheEngine<BinaryKey, Bytes> engine,
      List<Meter> meters) {
    void of(String name, ToDoubleFunction<CacheEngine<BinaryKey, Bytes>> figure) {
      meters.add(
          Gauge.builder("infinispan.statistics." + name, engine, figure)
              .description("As in Infinispan, of this node")
              .tags(tags)
              .register(target));
    }

    void count(String name, ToDoubleFunction<CacheStats> figure) {
      of(
          name,
          e -> {
            CacheStats stats = e.stats();
            return stats == null ? Double.NaN : figure.applyAsDouble(stats);
          });
    }
  }
}
