package dev.isogrid.server.net;

import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.concurrent.TimeUnit;

/**
 * Shows latencies of requests as a histogram of Prometheus, by cache, protocol and kind of
 * operation. Thread-safe.
 */
final class LatencyMetrics implements Collector {
  private static final String NAME = "isogrid_request_seconds";

  /** The first bound is 4 microseconds, each further one twice the one before, the last 8.6 s. */
  private static final int FIRST_EXPONENT = 12;

  private static final int LAST_EXPONENT = 33;

  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final ServerContext context;

  LatencyMetrics(ServerContext context) {
    this.context = context;
  }

  @Override
  public String getPrometheusName() {
    return NAME;
  }

  @Override
  public MetricSnapshot collect() {
    HistogramSnapshot.Builder all =
        HistogramSnapshot.builder()
            .name(NAME)
            .help("How long requests of clients took on this server, with statistics on");
    for (String name : context.node().cacheNames()) {
      CacheEngine<BinaryKey, Bytes> engine = context.engine(name);
      if (engine != null && engine.stats() != null) {
        add(all, name, context.traffic().latencies().of(engine));
      }
    }
    return all.build();
  }

  private void add(HistogramSnapshot.Builder all, String cache, CacheLatencies latencies) {
    for (CacheLatencies.Protocol protocol : CacheLatencies.Protocol.values()) {
      for (CacheLatencies.Kind kind : CacheLatencies.Kind.values()) {
        LatencySnapshot latency = latencies.snapshot(protocol, kind);
        if (latency.count() > 0) {
          all.dataPoint(
              HistogramDataPointSnapshot.builder()
                  .labels(
                      Labels.of(
                          "node",
                          context.node().nodeName(),
                          "cache",
                          cache,
                          "protocol",
                          protocol.label(),
                          "operation",
                          kind.label()))
                  .classicHistogramBuckets(buckets(latency))
                  .sum(latency.sumNanos() / NANOS_PER_SECOND)
                  .build());
        }
      }
    }
  }

  private static ClassicHistogramBuckets buckets(LatencySnapshot latency) {
    ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
    long before = 0;
    for (int exponent = FIRST_EXPONENT; exponent <= LAST_EXPONENT; exponent++) {
      long below = latency.countBelow(1L << exponent);
      buckets.bucket((1L << exponent) / NANOS_PER_SECOND, below - before);
      before = below;
    }
    return buckets.bucket(Double.POSITIVE_INFINITY, latency.count() - before).build();
  }
}
