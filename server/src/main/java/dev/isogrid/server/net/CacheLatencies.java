package dev.isogrid.server.net;

import dev.isogrid.engine.CacheEngine;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The latencies of clients' requests for one cache on this server, by protocol and kind. Counts
 * only while the cache has statistics. Thread-safe.
 */
public final class CacheLatencies {
  /** The protocols whose requests are measured. */
  public enum Protocol {
    HOT_ROD("hotrod"),
    REST("rest"),
    MEMCACHED("memcached");

    private final String label;

    Protocol(String label) {
      this.label = label;
    }

    /** The name in metrics. */
    public String label() {
      return label;
    }
  }

  /** Kinds of operations. */
  public enum Kind {
    GET("get"),
    PUT("put"),
    REMOVE("remove"),
    OTHER("other");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /** The name in metrics. */
    public String label() {
      return label;
    }
  }

  private final CacheEngine<?, ?> engine;

  /** Complete after the constructor, so that threads may share it. */
  private final Map<Protocol, Map<Kind, LatencyHistogram>> histograms =
      new EnumMap<>(Protocol.class);

  CacheLatencies(CacheEngine<?, ?> engine) {
    this.engine = engine;
    for (Protocol protocol : Protocol.values()) {
      Map<Kind, LatencyHistogram> byKind = new EnumMap<>(Kind.class);
      for (Kind kind : Kind.values()) {
        byKind.put(kind, new LatencyHistogram());
      }
      histograms.put(protocol, byKind);
    }
  }

  /** Whether requests are measured: only while the cache has statistics. */
  public boolean isOn() {
    return engine.config().statistics();
  }

  /** Counts a request. */
  public void record(Protocol protocol, Kind kind, long nanos) {
    histogram(protocol, kind).record(nanos);
  }

  private LatencyHistogram histogram(Protocol protocol, Kind kind) {
    return Objects.requireNonNull(Objects.requireNonNull(histograms.get(protocol)).get(kind));
  }

  /**
   * The counts of a kind.
   *
   * @param protocol null for all of them
   */
  public LatencySnapshot snapshot(@Nullable Protocol protocol, Kind kind) {
    LatencySnapshot.Sum sum = new LatencySnapshot.Sum();
    for (Protocol each : Protocol.values()) {
      if (protocol == null || protocol == each) {
        histogram(each, kind).addTo(sum);
      }
    }
    return sum.snapshot();
  }

  /** Resets the counts. */
  public void reset() {
    histograms.values().forEach(each -> each.values().forEach(LatencyHistogram::reset));
  }
}
