package dev.isogrid.cli;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one node at one moment.
 *
 * @param name of the node
 * @param failure why it does not answer, or null
 * @param own its own figures by the metric's name
 * @param caches those of its caches: by cache, then by the metric's name
 * @param takenNanos when, by a monotonic clock
 */
record NodeFigures(
    String name,
    @Nullable String failure,
    Map<String, Double> own,
    Map<String, Map<String, Double>> caches,
    long takenNanos) {
  /** The failure of a member without an address for clients. */
  static final String NO_CLIENTS = "no address for clients";

  private static final String CACHE = "isogrid_cache_";

  /** A node that does not answer. */
  static NodeFigures silent(String name, String failure, long takenNanos) {
    return new NodeFigures(name, failure, Map.of(), Map.of(), takenNanos);
  }

  /** Reads the answer of {@code /metrics}. Figures of one name with several labels are added. */
  static NodeFigures of(String name, String metrics, long takenNanos) {
    Map<String, Double> own = new HashMap<>();
    Map<String, Map<String, Double>> caches = new TreeMap<>();
    for (MetricsText.Sample sample : MetricsText.parse(metrics)) {
      String cache = sample.labels().get("cache");
      if (cache != null && sample.name().startsWith(CACHE)) {
        caches
            .computeIfAbsent(cache, _ -> new HashMap<>())
            .put(sample.name().substring(CACHE.length()), sample.value());
      } else {
        String area = sample.labels().get("area");
        String key = area == null ? sample.name() : sample.name() + ":" + area;
        own.merge(key, sample.value(), Double::sum);
      }
    }
    return new NodeFigures(name, null, own, caches, takenNanos);
  }

  /** A figure of the node; NaN if it has none. */
  double own(String metric) {
    return own.getOrDefault(metric, Double.NaN);
  }

  /** A figure of a cache on this node; NaN if it has none. */
  double cache(String cache, String metric) {
    return caches.getOrDefault(cache, Map.of()).getOrDefault(metric, Double.NaN);
  }
}
