package dev.isogrid.bench.cluster;

import dev.isogrid.bench.report.Report;
import dev.isogrid.bench.report.Samples;
import dev.isogrid.bench.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The measurements of {@link StreamBenchmark}, with tables. Not thread-safe. */
final class StreamFigures {
  private static final double BYTES_PER_MEGABYTE = 1e6;

  private final int valueSize;
  private final Map<Row, Samples> times = new LinkedHashMap<>();
  private final Map<Row, Samples> speeds = new LinkedHashMap<>();

  /**
   * A line of a table.
   *
   * @param measure the operation
   * @param where the kind of cache
   * @param nodes their number
   */
  record Row(StreamMeasure measure, String where, int nodes, ClusterLibrary library) {
    private Row of(ClusterLibrary other) {
      return new Row(measure, where, nodes, other);
    }

    private Row of(StreamMeasure other) {
      return new Row(other, where, nodes, library);
    }
  }

  /**
   * Begins without figures.
   *
   * @param valueSize bytes of a value, for speeds in megabytes
   */
  StreamFigures(int valueSize) {
    this.valueSize = valueSize;
  }

  /** Adds a time: of one operation, or of processing a number of entries. */
  void add(Row row, long nanos, long entries) {
    if (row.measure.isOfAllEntries()) {
      speeds.computeIfAbsent(row, _ -> new Samples()).add(entries / (nanos / 1e9));
    } else {
      times.computeIfAbsent(row, _ -> new Samples()).add(nanos / 1e3);
    }
  }

  /** The report with all tables. */
  Report report() {
    Report report = new Report();
    report.remark(
        "Each node is a JVM of its own, over the loopback address of one machine; distributed"
            + " caches are synchronous, with two owners. One library at a time; in each round new"
            + " processes. Each figure of a round is the median of the repetitions.");
    report.remark(
        "Users' functions are the same for all libraries: those of java.util.stream, made"
            + " serialisable. Numbers are Long values under String keys.");
    report.remark("Infinispan uses its TCP stack, with a list of seeds in the place of multicast.");
    report.add(times());
    report.add(speeds());
    return report;
  }

  private Table times() {
    Table table =
        new Table(
            "Time of one operation, µs",
            3,
            List.of(
                "what",
                "cache",
                "library",
                "nodes",
                "µs",
                "min",
                "max",
                "times a get of another node's",
                "Infinispan's / this"));
    times.forEach((row, samples) -> {
      List<String> cells = names(row);
      cells.addAll(samples.cells());
      Samples get = times.get(row.of(StreamMeasure.REMOTE_GET));
      cells.add(get == null ? "-" : Samples.text(samples.median() / get.median()));
      Samples peer = times.get(row.of(ClusterLibrary.INFINISPAN));
      cells.add(peer == null ? "-" : Samples.text(peer.median() / samples.median()));
      table.add(cells);
    });
    return table;
  }

  private Table speeds() {
    Table table =
        new Table(
            "Entries a second",
            3,
            List.of(
                "what",
                "cache",
                "library",
                "nodes",
                "1/s",
                "min",
                "max",
                "MB/s of values",
                "times Infinispan's"));
    speeds.forEach((row, samples) -> {
      List<String> cells = names(row);
      cells.addAll(samples.cells());
      boolean isOfNumbers =
          row.measure != StreamMeasure.ITERATE
              && row.measure != StreamMeasure.ITERATE_WHILE_JOINING;
      cells.add(
          isOfNumbers ? "-" : Samples.text(samples.median() * valueSize / BYTES_PER_MEGABYTE));
      Samples peer = speeds.get(row.of(ClusterLibrary.INFINISPAN));
      cells.add(peer == null ? "-" : Samples.text(samples.median() / peer.median()));
      table.add(cells);
    });
    return table;
  }

  private static List<String> names(Row row) {
    return new ArrayList<>(
        List.of(row.measure.label(), row.where, row.library.label(), String.valueOf(row.nodes)));
  }
}
