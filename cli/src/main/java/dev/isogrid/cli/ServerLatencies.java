package dev.isogrid.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The time of clients' requests as a server measured it, by cache and operation. */
final class ServerLatencies {
  static final List<String> COLUMNS =
      List.of("cache", "operation", "requests", "median ms", "99 % ms", "99.9 % ms", "most ms");

  /** The column by which rows are sorted: 99 of 100 requests take this long or less. */
  private static final int SORTED_COLUMN = 4;

  private static final double NANOS_PER_MILLI = 1e6;

  private ServerLatencies() {}

  /**
   * Asks a server for its caches, the slowest operation first. Caches without statistics and
   * operations without requests have no row.
   */
  static List<List<Object>> rows(RestConnection connection, List<String> caches) {
    List<List<Object>> rows = new ArrayList<>();
    for (String cache : caches) {
      RestRequest stats = RestRequest.get(TreePath.CACHES, cache).query("action", "stats");
      if (connection.send(stats).object().get("latencies") instanceof Map<?, ?> latencies) {
        latencies.forEach((operation, figures) -> {
          Map<?, ?> known = JsonText.object(figures);
          if (JsonText.number(known.get("count"), 0) > 0) {
            rows.add(row(cache, JsonText.text(operation), known));
          }
        });
      }
    }
    rows.sort(
        (a, b) -> Double.compare((double) b.get(SORTED_COLUMN), (double) a.get(SORTED_COLUMN)));
    return rows;
  }

  private static List<Object> row(String cache, String operation, Map<?, ?> figures) {
    return List.of(
        cache,
        operation,
        JsonText.number(figures.get("count"), 0),
        millis(figures, "p50_nanos"),
        millis(figures, "p99_nanos"),
        millis(figures, "p999_nanos"),
        millis(figures, "max_nanos"));
  }

  private static double millis(Map<?, ?> figures, String name) {
    return Math.round(JsonText.number(figures.get(name), 0) / NANOS_PER_MILLI * 1000) / 1000.0;
  }
}
