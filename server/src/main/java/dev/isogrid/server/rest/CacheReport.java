package dev.isogrid.server.rest;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.CacheStats;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.StoreStats;
import dev.isogrid.config.CacheDocument;
import dev.isogrid.config.DocumentFormat;
import dev.isogrid.config.NamedCacheConfig;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.server.net.CacheLatencies;
import dev.isogrid.server.net.CacheLatencies.Kind;
import dev.isogrid.server.net.LatencySnapshot;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Describes a cache in JSON. Unknown numbers are -1, as clients expect. */
final class CacheReport {
  private static final long UNKNOWN = -1;

  private CacheReport() {}

  /** Adds the status of a cache, also for a list of caches. */
  static Json addStatus(Json json, boolean isIgnored) {
    return json.name("status").value(isIgnored ? "IGNORED" : "RUNNING");
  }

  /** Adds the other fields of a cache in a list of caches. */
  static void addSummary(
      Json json,
      String name,
      CacheConfig config,
      ClusterReport.Health health,
      List<String> aliases) {
    json.name("name").value(name);
    json.name("type").value(type(config.mode()));
    json.name("simple_cache").value(false);
    json.name("transactional").value(false);
    json.name("persistent").value(config.fileStore() != null || config.store() != null);
    json.name("bounded").value(config.isBounded());
    json.name("secured").value(false);
    json.name("indexed").value(false);
    json.name("has_remote_backup").value(false);
    json.name("tracing").value(false);
    json.name("health").value(health.name());
    json.name("aliases").values(aliases);
  }

  private static String type(CacheMode mode) {
    return switch (mode) {
      case LOCAL -> "local-cache";
      case REPL_SYNC, REPL_ASYNC -> "replicated-cache";
      case DIST_SYNC, DIST_ASYNC -> "distributed-cache";
      case INVALIDATION_SYNC, INVALIDATION_ASYNC -> "invalidation-cache";
    };
  }

  /** The whole description of a cache. */
  static Json details(
      CacheEngine<?, ?> engine,
      CacheLatencies latencies,
      ClusterReport cluster,
      List<String> aliases,
      boolean isIgnored) {
    CacheConfig config = engine.config();
    ClusterReport.Health health = cluster.health(engine.name());
    Json json = new Json().beginObject();
    addStatus(json, isIgnored);
    addSummary(json, engine.name(), config, health, aliases);
    json.name("statistics").value(config.statistics());
    json.name("key_storage").value(config.keyMediaType());
    json.name("value_storage").value(config.valueMediaType());
    json.name("mode").value(config.mode().name());
    addStats(json.name("stats"), engine, latencies);
    json.name("size").value(engine.size());
    json.name("rehash_in_progress").value(health == ClusterReport.Health.HEALTHY_REBALANCING);
    json.name("indexing_in_progress").value(false);
    json.name("queryable").value(false);
    json.name("rebalancing_enabled").value(cluster.isRebalanced(engine.name()));
    json.name("rebalancing_requested").value(cluster.copiesMissing(engine.name()));
    json.name("rebalancing_inflight").value(cluster.copiesUnderWay(engine.name()));
    json.name("configuration")
        .raw(CacheDocument.show(named(engine, aliases), DocumentFormat.JSON, false));
    json.name("storage_type").value(config.storage().name());
    long maxSize = config.maxSizeBytes();
    json.name("max_size").value(maxSize < 0 ? "" : Long.toString(maxSize));
    json.name("max_size_bytes").value(maxSize);
    return json.endObject();
  }

  /** The configuration of a cache with its name and aliases. */
  static NamedCacheConfig named(CacheEngine<?, ?> engine, List<String> aliases) {
    return new NamedCacheConfig(engine.name(), engine.config(), List.of(), aliases);
  }

  /** Adds the counts of an external store, if there is one. */
  private static void addStore(Json json, @Nullable StoreStats stats) {
    if (stats != null) {
      json.name("store_writes").value(stats.writes());
      json.name("store_deletes").value(stats.deletes());
      json.name("store_failures").value(stats.failures());
      json.name("store_dropped").value(stats.dropped());
      json.name("store_queued").value(stats.queued());
    }
  }

  /** Adds the counts of a cache. */
  static void addStats(Json json, CacheEngine<?, ?> engine, CacheLatencies latencies) {
    CacheStats stats = engine.stats();
    long size = stats == null ? UNKNOWN : engine.size();
    json.beginObject();
    addCount(json, "time_since_start", stats, _ -> secondsSince(engine, engine.startedMillis()));
    json.name("approximate_entries").value(size);
    json.name("approximate_entries_in_memory").value(size);
    json.name("approximate_entries_unique").value(size);
    json.name("current_number_of_entries").value(size);
    json.name("current_number_of_entries_in_memory").value(size);
    long memory = stats == null ? UNKNOWN : engine.memoryUse().allocatedBytes();
    boolean onHeap = stats != null && engine.config().storage() != StorageType.OFF_HEAP;
    json.name("off_heap_memory_used").value(onHeap ? 0 : memory);
    json.name("data_memory_used").value(memory);
    addCount(json, "stores", stats, CacheStats::stores);
    addCount(json, "retrievals", stats, CacheStats::retrievals);
    addCount(json, "hits", stats, CacheStats::hits);
    addCount(json, "misses", stats, CacheStats::misses);
    addCount(json, "remove_hits", stats, CacheStats::removeHits);
    addCount(json, "remove_misses", stats, CacheStats::removeMisses);
    addCount(json, "evictions", stats, CacheStats::evictions);
    addCount(json, "store_loads", stats, CacheStats::storeLoads);
    addCount(json, "store_misses", stats, CacheStats::storeMisses);
    addStore(json, engine.storeStats());
    addCount(json, "required_minimum_number_of_nodes", stats, _ -> 1);
    addCount(
        json, "time_since_reset", stats, counted -> secondsSince(engine, counted.startedMillis()));
    addAverage(json, "read", stats, latencies.snapshot(null, Kind.GET));
    addAverage(json, "write", stats, latencies.snapshot(null, Kind.PUT));
    addAverage(json, "remove", stats, latencies.snapshot(null, Kind.REMOVE));
    if (stats != null) {
      addLatencies(json.name("latencies"), latencies);
    }
    json.endObject();
  }

  private static long secondsSince(CacheEngine<?, ?> engine, long millis) {
    return Math.max(0, (engine.nowMillis() - millis) / 1000);
  }

  /** The mean of requests to this server; 0 if there was none, as in other servers. */
  private static void addAverage(
      Json json, String what, @Nullable CacheStats stats, LatencySnapshot latency) {
    long nanos = stats == null ? UNKNOWN : latency.meanNanos();
    long millis = stats == null ? UNKNOWN : TimeUnit.NANOSECONDS.toMillis(nanos);
    json.name("average_" + what + "_time").value(millis);
    json.name("average_" + what + "_time_nanos").value(nanos);
  }

  private static void addLatencies(Json json, CacheLatencies latencies) {
    json.beginObject();
    for (Kind kind : Kind.values()) {
      LatencySnapshot latency = latencies.snapshot(null, kind);
      json.name(kind.label()).beginObject().name("count").value(latency.count());
      json.name("mean_nanos").value(latency.meanNanos());
      json.name("p50_nanos").value(latency.percentileNanos(0.5));
      json.name("p90_nanos").value(latency.percentileNanos(0.9));
      json.name("p99_nanos").value(latency.percentileNanos(0.99));
      json.name("p999_nanos").value(latency.percentileNanos(0.999));
      json.name("max_nanos").value(latency.maxNanos()).endObject();
    }
    json.endObject();
  }

  private static void addCount(
      Json json, String name, @Nullable CacheStats stats, ToLongFunction<CacheStats> count) {
    json.name(name).value(stats == null ? UNKNOWN : count.applyAsLong(stats));
  }
}
