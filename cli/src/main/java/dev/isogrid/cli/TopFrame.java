package dev.isogrid.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tables of {@code top}: caches and nodes, with rates since the figures before. */
final class TopFrame {
  static final List<String> CACHE_COLUMNS =
      List.of(
          "cache",
          "entries",
          "memory",
          "full",
          "reads/s",
          "writes/s",
          "hits",
          "evicted/s",
          "health");
  static final List<String> NODE_COLUMNS =
      List.of("node", "state", "cpu", "heap", "off-heap", "clients", "in/s", "out/s", "to send");

  private static final double NANOS = 1e9;
  private static final String NONE = "-";

  private final ClusterFigures now;
  private final @Nullable ClusterFigures before;

  /** Compares figures with those before; rates are unknown without them. */
  TopFrame(ClusterFigures now, @Nullable ClusterFigures before) {
    this.now = now;
    this.before = before;
  }

  /** The first line. */
  String title() {
    Object left = now.rebalancing().get("copies_left");
    long copies = JsonText.number(left, 0);
    String rebalancing =
        copies == 0
            ? ""
            : ", rebalancing: %d copies, %s, %d s left"
                .formatted(
                    copies,
                    size((double) JsonText.number(now.rebalancing().get("bytes_left"), 0)),
                    JsonText.number(now.rebalancing().get("seconds_left"), 0));
    return "%s, nodes: %d, caches: %d%s"
        .formatted(now.health(), now.nodes().size(), now.cacheNames().size(), rebalancing);
  }

  /** A row per cache, those with the most reads and writes first. */
  List<List<String>> caches() {
    List<String> names = new ArrayList<>(now.cacheNames());
    names.sort(
        Comparator.comparingDouble((String name) -> -traffic(name)).thenComparing(name -> name));
    List<List<String>> rows = new ArrayList<>();
    for (String cache : names) {
      double hits = rate(cache, "hits_total");
      double reads = hits + rate(cache, "misses_total");
      rows.add(
          List.of(
              cache,
              count(now.sum(cache, "entries")),
              size(now.sum(cache, "memory_bytes")),
              percent(now.fullness(cache)),
              count(reads),
              count(rate(cache, "stores_total")),
              percent(hits / reads),
              count(rate(cache, "evictions_total")),
              now.cacheHealth().getOrDefault(cache, NONE)));
    }
    return rows;
  }

  private double traffic(String cache) {
    double traffic =
        rate(cache, "hits_total") + rate(cache, "misses_total") + rate(cache, "stores_total");
    return Double.isNaN(traffic) ? 0 : traffic;
  }

  /** A row per node. */
  List<List<String>> nodes() {
    List<List<String>> rows = new ArrayList<>();
    List<?> silent = JsonText.array(now.rebalancing().get("silent_nodes"));
    for (NodeFigures node : now.nodes()) {
      String state = state(node, silent);
      rows.add(
          List.of(
              node.name(),
              state,
              percent(node.own("process_cpu_usage")),
              size(node.own("jvm_memory_used_bytes:heap")),
              size(node.own("isogrid_off_heap_bytes")),
              count(node.own("isogrid_connections")),
              size(nodeRate(node, "isogrid_read_bytes_total")),
              size(nodeRate(node, "isogrid_written_bytes_total")),
              count(node.own("isogrid_rebalance_copies_left"))));
    }
    return rows;
  }

  private static String state(NodeFigures node, List<?> silent) {
    if (NodeFigures.NO_CLIENTS.equals(node.failure())) {
      return "no clients";
    }
    if (node.failure() != null) {
      return "no answer";
    }
    return silent.contains(node.name()) ? "silent" : "ok";
  }

  private @Nullable NodeFigures earlier(NodeFigures node) {
    if (before == null) {
      return null;
    }
    return before.nodes().stream()
        .filter(other -> other.name().equals(node.name()) && other.failure() == null)
        .findFirst()
        .orElse(null);
  }

  private double nodeRate(NodeFigures node, String metric) {
    NodeFigures earlier = earlier(node);
    return earlier == null
        ? Double.NaN
        : rate(node.own(metric) - earlier.own(metric), node, earlier);
  }

  private static double rate(double more, NodeFigures node, NodeFigures earlier) {
    double seconds = (node.takenNanos() - earlier.takenNanos()) / NANOS;
    return seconds <= 0 ? Double.NaN : Math.max(0, more) / seconds; // a restart counts anew
  }

  /** A rate of a cache over all nodes. */
  private double rate(String cache, String metric) {
    double sum = Double.NaN;
    for (NodeFigures node : now.nodes()) {
      NodeFigures earlier = earlier(node);
      if (earlier != null) {
        double more = node.cache(cache, metric) - earlier.cache(cache, metric);
        double rate = rate(more, node, earlier);
        sum = Double.isNaN(rate) ? sum : Double.isNaN(sum) ? rate : sum + rate;
      }
    }
    return sum;
  }

  private static String count(double number) {
    return Double.isNaN(number) ? NONE : "%,d".formatted(Math.round(number));
  }

  private static String percent(double share) {
    return Double.isNaN(share) ? NONE : "%d %%".formatted(Math.round(100 * share));
  }

  /** A number of bytes, in the unit that shows it with few digits. */
  static String size(double bytes) {
    if (Double.isNaN(bytes)) {
      return NONE;
    }
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    double number = bytes;
    while (number >= 1000 && unit < units.length - 1) {
      number /= 1024;
      unit++;
    }
    return unit == 0 || number >= 100
        ? "%,d %s".formatted(Math.round(number), units[unit])
        : "%.1f %s".formatted(number, units[unit]);
  }
}
