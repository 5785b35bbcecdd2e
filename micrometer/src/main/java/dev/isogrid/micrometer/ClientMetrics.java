package dev.isogrid.micrometer;

import dev.isogrid.client.ClientStatistics;
import dev.isogrid.client.RemoteCache;
import dev.isogrid.client.RemoteCacheManager;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * The figures of a client; reading them asks no server. Those of a cache have a tag {@code cache}.
 *
 * <pre>
 * isogrid.client.caches       number of caches that were opened
 * isogrid.client.servers      number of servers that the client has connections to, or would have
 * isogrid.client.reads, stores, removes
 *                             timers of operations on single keys, from sending to answer
 * isogrid.client.hits, misses reads that servers answered, by whether there was an entry
 * isogrid.client.near.hits, near.misses, near.invalidations, near.size
 *                             of a near cache; 0 without one
 * </pre>
 *
 * <p>The timers, hits and misses stay 0 unless {@code ClientConfig.Builder.statistics(true)} is
 * set.
 *
 * {@snippet :
 * new ClientMetrics(manager).bindTo(registry);
 * }
 *
 * <p>Caches that are opened later are found when {@code isogrid.client.caches} is read, which is at
 * the next publication. Thread-safe.
 */
public final class ClientMetrics implements MeterBinder {
  private final RemoteCacheManager manager;
  private final Tags tags;

  /** Those of a client. */
  public ClientMetrics(RemoteCacheManager manager) {
    this(manager, Tags.empty());
  }

  /** The same with tags, as several clients of one process need them. */
  public ClientMetrics(RemoteCacheManager manager, Iterable<Tag> tags) {
    this.manager = Objects.requireNonNull(manager, "manager");
    this.tags = Tags.of(tags);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder("isogrid.client.servers", manager, m -> m.servers().size())
        .description("Servers that the client has connections to, or would have")
        .tags(tags)
        .strongReference(true)
        .register(registry);
    new CacheMeters<RemoteCache<?, ?>>(
            registry, manager::openCaches, cache -> new Binding(cache, registry).all())
        .bind("isogrid.client.caches", "Caches that were opened", tags);
  }

  /** The meters of one cache. */
  private final class Binding {
    private final RemoteCache<?, ?> cache;
    private final MeterRegistry registry;
    private final Tags own;

    Binding(RemoteCache<?, ?> cache, MeterRegistry registry) {
      this.cache = cache;
      this.registry = registry;
      this.own = tags.and("cache", cache.getName());
    }

    List<Meter> all() {
      return List.of(
          timer("reads", s -> s.hits() + s.misses(), ClientStatistics::readNanos),
          timer("stores", ClientStatistics::stores, ClientStatistics::storeNanos),
          timer("removes", ClientStatistics::removes, ClientStatistics::removeNanos),
          counter("hits", "Reads that found an entry", ClientStatistics::hits),
          counter("misses", "Reads that found none", ClientStatistics::misses),
          counter("near.hits", "Reads that were answered here", ClientStatistics::nearHits),
          counter("near.misses", "Reads that were not", ClientStatistics::nearMisses),
          counter(
              "near.invalidations",
              "Entries that were dropped here since they changed",
              ClientStatistics::nearInvalidations),
          Gauge.builder("isogrid.client.near.size", cache, c -> c.clientStatistics().nearSize())
              .description("Entries that are kept here")
              .tags(own)
              .register(registry));
    }

    private Meter timer(
        String name,
        ToLongFunction<ClientStatistics> count,
        ToLongFunction<ClientStatistics> nanos) {
      return FunctionTimer.builder(
              "isogrid.client." + name,
              cache,
              c -> count.applyAsLong(c.clientStatistics()),
              c -> nanos.applyAsLong(c.clientStatistics()),
              TimeUnit.NANOSECONDS)
          .description("Operations on single keys, from sending to answer")
          .tags(own)
          .register(registry);
    }

    private Meter counter(String name, String description, ToLongFunction<ClientStatistics> count) {
      return FunctionCounter.builder(
              "isogrid.client." + name, cache, c -> count.applyAsLong(c.clientStatistics()))
          .description(description)
          .tags(own)
          .register(registry);
    }
  }
}
