package dev.isogrid.server.net;

import dev.isogrid.api.CacheMode;
import dev.isogrid.api.CacheStats;
import dev.isogrid.api.Rebalancing;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.SideCounts;
import dev.isogrid.server.security.Security;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.ProtocolVersions;
import dev.isogrid.topology.Topology;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntBiFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a server for Prometheus. Costs nothing before the first query, and serves one
 * server for its life. Thread-safe; one scrape at a time.
 */
public final class Metrics {
  /** The text format that every Prometheus understands. */
  public static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

  /** The format of OpenMetrics. */
  public static final String OPEN_METRICS =
      "application/openmetrics-text; version=1.0.0; charset=utf-8";

  /** A figure that a cache counts. */
  private record Count(String name, String meaning, ToLongFunction<CacheStats> of) {}

  private static final List<Count> COUNTS =
      List.of(
          new Count("hits", "Reads on this node that found an entry", CacheStats::hits),
          new Count("misses", "Reads on this node that found no entry", CacheStats::misses),
          new Count("stores", "Writes on this node", CacheStats::stores),
          new Count(
              "remove.hits", "Removals on this node that found an entry", CacheStats::removeHits),
          new Count(
              "remove.misses",
              "Removals on this node that found no entry",
              CacheStats::removeMisses),
          new Count(
              "expirations", "Entries of this node that ended by time", CacheStats::expirations),
          new Count(
              "evictions", "Entries of this node that a bound removed", CacheStats::evictions),
          new Count(
              "store.loads",
              "Entries that were read from the store, since they were not in memory",
              CacheStats::storeLoads),
          new Count(
              "store.misses",
              "Reads that found an entry neither in memory nor in the store",
              CacheStats::storeMisses));

  private static final double MILLIS_PER_SECOND = 1000;

  /** The pause between measurements of the event loops. */
  private static final long PROBE_MILLIS = 1000;

  private final ServerContext context;

  /** Null if only own names are enabled. */
  private final @Nullable InfinispanNames infinispan;

  /** The meters of each cache. Guarded by this. */
  private final Map<CacheEngine<BinaryKey, Bytes>, Bound> caches = new HashMap<>();

  /**
   * The meters of a cache.
   *
   * @param isCounting whether statistics were on when the meters were made
   */
  private record Bound(boolean isCounting, List<Meter> meters) {}

  private @Nullable PrometheusMeterRegistry registry;

  /** Begins without figures. */
  public Metrics(ServerContext context) {
    this(context, false);
  }

  /**
   * Begins without figures.
   *
   * @param infinispanNames whether figures also appear under the names of Infinispan
   */
  public Metrics(ServerContext context, boolean infinispanNames) {
    this.context = context;
    this.infinispan = infinispanNames ? new InfinispanNames(context) : null;
  }

  /**
   * All present figures.
   *
   * @param format {@link #TEXT} or {@link #OPEN_METRICS}
   */
  public synchronized String scrape(String format) {
    PrometheusMeterRegistry target = registry;
    if (target == null) {
      target = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      target.config().commonTags("node", context.node().nodeName());
      registry = target;
      bindServer(target);
    }
    bindCaches(target);
    return target.scrape(format);
  }

  private void bindServer(PrometheusMeterRegistry target) {
    new JvmMemoryMetrics().bindTo(target);
    new JvmThreadMetrics().bindTo(target);
    new ProcessorMetrics().bindTo(target);
    new UptimeMetrics().bindTo(target);
    new ClassLoaderMetrics().bindTo(target);
    ManagementFactory.getGarbageCollectorMXBeans().forEach(each -> bindCollector(target, each));
    bindLimits(target);
    bindRefusals(target);
    Traffic traffic = context.traffic();
    Gauge.builder("isogrid.connections", traffic, Traffic::connectionsOpen)
        .description("Connections of clients")
        .register(target);
    FunctionCounter.builder("isogrid.connections.opened", traffic, Traffic::connectionsTotal)
        .description("Connections of clients since the start")
        .register(target);
    FunctionCounter.builder("isogrid.connections.refused", traffic, Traffic::connectionsRefused)
        .description("Connections of clients that were refused, since there were too many")
        .register(target);
    Gauge.builder("isogrid.requests.unfinished", context.intake(), Intake::bytesTaken)
        .description("Memory of requests that have not arrived in full")
        .baseUnit("bytes")
        .register(target);
    FunctionCounter.builder("isogrid.read", traffic, Traffic::bytesRead)
        .description("Bytes received from clients")
        .baseUnit("bytes")
        .register(target);
    FunctionCounter.builder("isogrid.written", traffic, Traffic::bytesWritten)
        .description("Bytes sent to clients")
        .baseUnit("bytes")
        .register(target);
    Gauge.builder("isogrid.cluster.members", context, Metrics::members)
        .description("Nodes of the cluster, as far as this one knows")
        .register(target);
    Gauge.builder("isogrid.cluster.protocol.version", context, Metrics::protocol)
        .description("Version of the protocol between nodes that all members speak")
        .register(target);
    bindHealth(target);
    bindWaits(target, traffic);
    bindRebalancing(target);
    bindSplits(target);
    target.getPrometheusRegistry().register(new LatencyMetrics(context));
    if (infinispan != null) {
      infinispan.bindServer(target);
    }
    Gauge.builder("isogrid.off.heap", context, c -> c.node().offHeapUse().reservedBytes())
        .description("Memory off the heap that the node has reserved")
        .baseUnit("bytes")
        .register(target);
  }

  private static void bindCollector(
      PrometheusMeterRegistry target, GarbageCollectorMXBean collector) {
    Tags tags = Tags.of("gc", collector.getName());
    FunctionCounter.builder(
            "jvm.gc.collections", collector, GarbageCollectorMXBean::getCollectionCount)
        .description("Garbage collections since the start")
        .tags(tags)
        .register(target);
    FunctionCounter.builder(
            "jvm.gc.time", collector, each -> each.getCollectionTime() / MILLIS_PER_SECOND)
        .description("Time of garbage collections since the start")
        .baseUnit("seconds")
        .tags(tags)
        .register(target);
  }

  private void bindLimits(PrometheusMeterRegistry target) {
    Gauge.builder("isogrid.off.heap.max", context, c -> c.node().offHeapUse().maxBytes())
        .description("Memory off the heap that the node may reserve")
        .baseUnit("bytes")
        .register(target);
    Gauge.builder("isogrid.connections.max", () -> Traffic.CONNECTIONS_MAX)
        .description("Connections of clients that are taken at the same time")
        .register(target);
    Gauge.builder("isogrid.requests.unfinished.max", context.intake(), Intake::bytesMax)
        .description("Memory that requests may take that have not arrived in full")
        .baseUnit("bytes")
        .register(target);
  }

  private void bindRefusals(PrometheusMeterRegistry target) {
    FunctionCounter.builder("isogrid.writes.refused", context.traffic(), Traffic::writesRefused)
        .description("Writes of clients that were refused, since memory or a bound is full")
        .register(target);
    Security security = context.security();
    FunctionCounter.builder("isogrid.logins.failed", security, Security::loginsFailed)
        .description("Logins of clients that failed")
        .register(target);
    FunctionCounter.builder("isogrid.requests.denied", security, Security::requestsDenied)
        .description("Requests of clients that were refused for want of a permission")
        .register(target);
  }

  private void bindHealth(PrometheusMeterRegistry target) {
    Gauge.builder("isogrid.majority", context, c -> c.node().hasMajority() ? 1 : 0)
        .description("1 while the majority of the cluster answers this node, or it is alone")
        .register(target);
    Gauge.builder("isogrid.lease", context, c -> c.node().isLeased() ? 1 : 0)
        .description("1 while this node has a lease of the majority, or is alone")
        .register(target);
    Gauge.builder("isogrid.writes.refusing", context.traffic(), t -> t.refusesWrites() ? 1 : 0)
        .description("1 if a write was refused within a minute, since memory or a bound is full")
        .register(target);
    Gauge.builder("isogrid.segments.offline", context, c -> ofGroups(c, Topology::offline))
        .description("Segments of all caches that nobody serves, since their entries are lost")
        .register(target);
    Gauge.builder(
            "isogrid.segments.underreplicated",
            context,
            c -> ofGroups(c, Topology::underreplicated))
        .description("Segments of all caches that have fewer copies than they should")
        .register(target);
  }

  /** The waits of requests. */
  private void bindWaits(PrometheusMeterRegistry target, Traffic traffic) {
    LoopLag lag = traffic.loopLag();
    if (lag != null) {
      context.node().env().scheduler().every(PROBE_MILLIS, lag::probe);
      Gauge.builder("isogrid.event.loop.lag", lag, LoopLag::takeSeconds)
          .description("Longest wait of a task for an event loop since the last reading")
          .baseUnit("seconds")
          .register(target);
    }
    traffic
        .aside()
        .forEach((protocol, places) -> {
          Tags tags = Tags.of("protocol", protocol);
          Gauge.builder("isogrid.requests.aside", places, AsidePlaces::taken)
              .description("Requests that wait for other nodes, locked segments or disks")
              .tags(tags)
              .register(target);
          Gauge.builder("isogrid.requests.aside.max", places, AsidePlaces::max)
              .description("Requests that may wait for these at the same time")
              .tags(tags)
              .register(target);
        });
  }

  /** The sum of a count of all groups that have caches. */
  private static double ofGroups(ServerContext context, ToIntBiFunction<Topology, Integer> count) {
    Topology topology = context.topology().get();
    return topology == null
        ? 0
        : IntStream.range(0, topology.groups().size())
            .filter(topology::hasCaches)
            .map(group -> count.applyAsInt(topology, group))
            .sum();
  }

  private void bindRebalancing(PrometheusMeterRegistry target) {
    Gauge.builder("isogrid.rebalance.copies.left", context, c -> c.node().copyState().left())
        .description("Copies of segments that this node must send to others")
        .register(target);
    Gauge.builder("isogrid.rebalance.left", context, c -> c.node().copyState().bytesLeft())
        .description("Bytes of copies that this node still has to send, about")
        .baseUnit("bytes")
        .register(target);
    FunctionCounter.builder(
            "isogrid.rebalance.sent", context, c -> c.node().copyState().bytesSent())
        .description("Bytes of copies that this node sent since the start")
        .baseUnit("bytes")
        .register(target);
    Gauge.builder("isogrid.rebalance.paused", context, Metrics::paused)
        .description("1 while the rebalancing of the cluster is paused")
        .register(target);
    Gauge.builder("isogrid.rebalance.limit", context, Metrics::speed)
        .description(
            "Most bytes of copies that each node may send per second, as an operator set;"
                + " 0 where none did, or set no limit")
        .baseUnit("bytes")
        .register(target);
  }

  private void bindSplits(PrometheusMeterRegistry target) {
    Gauge.builder("isogrid.split.apart", context, c -> c.node().sideCounts().isApart() ? 1 : 0)
        .description("1 while caches that allow it go on without the majority of the cluster")
        .register(target);
    Gauge.builder("isogrid.split.kept", context, c -> c.node().sideCounts().keptBytes())
        .description("Writes that this node keeps until it has handed them over")
        .baseUnit("bytes")
        .register(target);
    Map<String, ToLongFunction<SideCounts>> outcomes =
        Map.of(
            "taken", SideCounts::handedOver,
            "same", SideCounts::same,
            "conflict_lost", SideCounts::lost,
            "conflict_won", SideCounts::won,
            "conflict_merged", SideCounts::merged,
            "conflict_unanswered", SideCounts::unanswered,
            "refused", SideCounts::refused);
    outcomes.forEach((outcome, of) ->
        FunctionCounter.builder(
                "isogrid.split.entries", context, c -> of.applyAsLong(c.node().sideCounts()))
            .description("Entries that were written apart, by the outcome of the merge")
            .tags(Tags.of("outcome", outcome))
            .register(target));
  }

  private static double paused(ServerContext context) {
    return context.node().rebalancing().isPaused() ? 1 : 0;
  }

  private static double protocol(ServerContext context) {
    Topology topology = context.topology().get();
    return topology == null ? ProtocolVersions.OF_BUILD.newest() : topology.protocol();
  }

  private static double speed(ServerContext context) {
    long max = context.node().rebalancing().bytesPerSecondMax();
    return max == Rebalancing.UNLIMITED ? 0 : max;
  }

  private static double members(ServerContext context) {
    Topology topology = context.topology().get();
    return topology == null ? 1 : topology.members().size();
  }

  /** Adds new caches, and removes ended ones. */
  private void bindCaches(PrometheusMeterRegistry target) {
    Map<CacheEngine<BinaryKey, Bytes>, String> present = new LinkedHashMap<>();
    for (String name : context.node().cacheNames()) {
      CacheEngine<BinaryKey, Bytes> engine = context.engine(name);
      if (engine != null) {
        present.put(engine, name);
      }
    }
    // Removals come first, since a recreated cache has the names and labels of the previous one.
    caches
        .entrySet()
        .removeIf(bound -> {
          CacheEngine<BinaryKey, Bytes> engine = bound.getKey();
          Bound known = bound.getValue();
          boolean isGone =
              !present.containsKey(engine) || known.isCounting != (engine.stats() != null);
          if (isGone) {
            known.meters.forEach(target::remove);
          }
          return isGone;
        });
    present.forEach(
        (engine, name) -> caches.computeIfAbsent(engine, _ -> bindCache(target, name, engine)));
  }

  private Bound bindCache(
      PrometheusMeterRegistry target, String name, CacheEngine<BinaryKey, Bytes> engine) {
    List<Meter> meters = new ArrayList<>();
    Tags tags = Tags.of("cache", name);
    ToDoubleFunction<CacheEngine<BinaryKey, Bytes>> size = CacheEngine::approximateSize;
    meters.add(
        Gauge.builder("isogrid.cache.entries", engine, size)
            .description("Entries on this node, copies and expired ones included")
            .tags(tags)
            .register(target));
    meters.add(
        Gauge.builder("isogrid.cache.memory", engine, e -> e.memoryUse().allocatedBytes())
            .description("Memory of the entries on this node")
            .baseUnit("bytes")
            .tags(tags)
            .register(target));
    bindBounds(target, tags, engine, meters);
    if (engine.isClustered() || engine.config().mode() != CacheMode.LOCAL) {
      bindSegments(target, name, tags, meters);
    }
    StoreMetrics.bind(target, tags, engine, meters);
    JournalMetrics.bind(target, tags, engine, meters);
    boolean isCounting = engine.stats() != null;
    if (isCounting) {
      for (Count count : COUNTS) {
        meters.add(
            FunctionCounter.builder("isogrid.cache." + count.name(), engine, e -> count(e, count))
                .description(count.meaning())
                .tags(tags)
                .register(target));
      }
      if (infinispan != null) {
        infinispan.bindCache(target, name, engine, meters);
      }
    }
    return new Bound(isCounting, meters);
  }

  /** The copies of a clustered cache. */
  private void bindSegments(
      PrometheusMeterRegistry target, String name, Tags tags, List<Meter> meters) {
    meters.add(
        Gauge.builder(
                "isogrid.cache.segments.offline", context, c -> ofGroup(c, name, Topology::offline))
            .description("Segments of the cache that nobody serves, since their entries are lost")
            .tags(tags)
            .register(target));
    meters.add(
        Gauge.builder(
                "isogrid.cache.segments.underreplicated",
                context,
                c -> ofGroup(c, name, Topology::underreplicated))
            .description("Segments of the cache that have fewer copies than they should")
            .tags(tags)
            .register(target));
  }

  private static double ofGroup(
      ServerContext context, String name, ToIntBiFunction<Topology, Integer> count) {
    Topology topology = context.topology().get();
    CacheDefinition cache = topology == null ? null : topology.cache(name);
    return topology == null || cache == null ? 0 : count.applyAsInt(topology, cache.group());
  }

  /** A cache has a bound from the start or never; its number may change. */
  private static void bindBounds(
      PrometheusMeterRegistry target,
      Tags tags,
      CacheEngine<BinaryKey, Bytes> engine,
      List<Meter> meters) {
    if (engine.config().maxCount() >= 0) {
      meters.add(
          Gauge.builder("isogrid.cache.entries.max", engine, e -> e.config().maxCount())
              .description("Bound of the cache, on each node")
              .tags(tags)
              .register(target));
    }
    if (engine.config().maxSizeBytes() >= 0) {
      meters.add(
          Gauge.builder("isogrid.cache.memory.max", engine, e -> e.config().maxSizeBytes())
              .description("Bound of the cache, on each node")
              .baseUnit("bytes")
              .tags(tags)
              .register(target));
    }
  }

  private static double count(CacheEngine<BinaryKey, Bytes> engine, Count count) {
    CacheStats stats = engine.stats();
    return stats == null ? Double.NaN : count.of().applyAsLong(stats);
  }
}
