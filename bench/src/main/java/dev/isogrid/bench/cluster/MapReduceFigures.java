package dev.isogrid.bench.cluster;

import dev.isogrid.bench.report.Report;
import dev.isogrid.bench.report.Samples;
import dev.isogrid.bench.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What {@link MapReduceBenchmark} measured, and its tables. Not thread-safe. */
final class MapReduceFigures {
  private final Map<String, Map<Row, Figures>> experiments = new LinkedHashMap<>();

  /**
   * A line of a table.
   *
   * @param setting what is varied, with its unit
   * @param nodes how many
   */
  record Row(String setting, int nodes, WordCountWay way, ClusterLibrary library) {}

  /**
   * Figures of a line.
   *
   * @param speed texts in MB a second
   * @param cost seconds on processors of all nodes for 1 GB of texts
   */
  record Figures(Samples speed, Samples cost) {
    private Figures() {
      this(new Samples(), new Samples());
    }
  }

  Figures of(String experiment, Row row) {
    return experiments
        .computeIfAbsent(experiment, _ -> new LinkedHashMap<>())
        .computeIfAbsent(row, _ -> new Figures());
  }

  /** All of it. */
  Report report() {
    Report report = new Report();
    report.remark(
        "Word count over texts of random words. Each node is a JVM of its own on the loopback"
            + " address; caches of several nodes are distributed with two owners, each"
            + " node primary of as many texts. Isogrid keeps bytes also on one node. Map/reduce:"
            + " mapper, combiner, reducing on all nodes; of bytes: the mapper reads them in place,"
            + " and emits parts of them. Stream: the values, in parallel, collected into a map with"
            + " the same function.");
    report.remark(
        "Plain loop: as many threads as processors over arrays of the same bytes, each made a"
            + " String and counted by the same function; the plain byte loop makes no objects. The"
            + " figures are of one process.");
    experiments.forEach((heading, rows) -> report.add(table(heading, rows)));
    return report;
  }

  private static Table table(String heading, Map<Row, Figures> rows) {
    Table table =
        new Table(
            heading,
            3,
            List.of(
                "setting",
                "library",
                "way",
                "nodes",
                "MB/s",
                "min",
                "max",
                "part of the loop",
                "processor s/GB"));
    rows.forEach((row, figures) -> {
      List<String> cells = new ArrayList<>();
      cells.add(row.setting);
      cells.add(row.way.isLoop() ? "-" : row.library.label());
      cells.add(row.way.label());
      cells.add(String.valueOf(row.nodes));
      cells.addAll(figures.speed.cells());
      Figures loop = loop(rows, row);
      cells.add(loop == null ? "-" : Samples.text(figures.speed.median() / loop.speed.median()));
      cells.add(Samples.text(figures.cost.median()));
      table.add(cells);
    });
    return table;
  }

  private static @Nullable Figures loop(Map<Row, Figures> rows, Row row) {
    return rows.entrySet().stream()
        .filter(other -> other.getKey().way == row.way.loop())
        .filter(other -> other.getKey().setting.equals(row.setting))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(null);
  }
}
