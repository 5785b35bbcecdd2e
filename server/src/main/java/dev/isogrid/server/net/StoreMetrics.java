package dev.isogrid.server.net;

import dev.isogrid.api.StoreStats;
import dev.isogrid.engine.CacheEngine;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.function.ToLongFunction;

/** The figures of caches with external stores. */
final class StoreMetrics {
  /** A figure that only grows. */
  private record Count(String name, String meaning, ToLongFunction<StoreStats> of) {}

  private static final List<Count> COUNTS =
      List.of(
          new Count("writes", "Entries that the store took", StoreStats::writes),
          new Count("deletes", "Keys that were deleted in the store", StoreStats::deletes),
          new Count("failures", "Calls of the store that failed", StoreStats::failures),
          new Count(
              "dropped", "Changes that the store refused again and again", StoreStats::dropped));

  private StoreMetrics() {}

  /** Adds the meters of a cache, if it has an external store. */
  static void bind(MeterRegistry target, Tags tags, CacheEngine<?, ?> engine, List<Meter> meters) {
    if (engine.storeStats() == null) {
      return;
    }
    for (Count count : COUNTS) {
      meters.add(
          FunctionCounter.builder(
                  "isogrid.cache.store." + count.name(), engine, e -> value(e, count.of()))
              .description(count.meaning())
              .tags(tags)
              .register(target));
    }
    meters.add(
        Gauge.builder("isogrid.cache.store.queued", engine, e -> value(e, StoreStats::queued))
            .description("Keys whose changes wait for the store")
            .tags(tags)
            .register(target));
  }

  private static double value(CacheEngine<?, ?> engine, ToLongFunction<StoreStats> of) {
    StoreStats stats = engine.storeStats();
    return stats == null ? Double.NaN : of.applyAsLong(stats);
  }
}
