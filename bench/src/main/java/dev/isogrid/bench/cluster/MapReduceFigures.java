package dev.isogrid.bench.cluster;

import dev.isogrid.bench.report.LineChart;
import dev.isogrid.bench.report.Report;
import dev.isogrid.bench.report.Samples;
import dev.isogrid.bench.report.Table;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.function.Function;
import java.util.function.Predicate;

/** The measurements of {@link MapReduceBenchmark}, with tables and pictures. Not thread-safe. */
final class MapReduceFigures {
  private final Map<WordCountExperiment, Map<Row, Figures>> experiments =
      new EnumMap<>(WordCountExperiment.class);

  private final List<String> failures = new ArrayList<>();

  /**
   * A line of a table.
   *
   * @param setting of a plain loop, the first one with its texts
   */
  record Row(WordCountSetting setting, WordCountWay way, ClusterLibrary library) {
    private boolean isSame(Row other) {
      return way == other.way && library == other.library;
    }

    /** The name of the line in a picture. */
    private String series() {
      if (way.isLoop()) {
        return way.label();
      }
      String name = library.label() + ", " + way.label();
      return setting.experiment().isOfNodes() || setting.experiment() == WordCountExperiment.HEAP
          ? name
          : name + ", nodes: " + setting.nodes();
    }

    /** The position of the row in a picture. */
    private String value() {
      return setting.experiment().isOfNodes() ? String.valueOf(setting.nodes()) : setting.label();
    }
  }

  /**
   * Figures of a line.
   *
   * @param speed texts in MB per second, one figure per execution
   * @param cost processor seconds of all nodes per GB of texts, one figure per round
   */
  record Figures(Samples speed, Samples cost) {
    private Figures() {
      this(new Samples(), new Samples());
    }
  }

  /** The figures of a row, for adding. */
  Figures of(Row row) {
    return experiments
        .computeIfAbsent(row.setting.experiment(), _ -> new LinkedHashMap<>())
        .computeIfAbsent(row, _ -> new Figures());
  }

  /** Notes that a setting lacks figures. */
  void failed(WordCountSetting setting, String who) {
    failures.add(
        "%s, %s, %s, nodes: %d"
            .formatted(setting.experiment().heading(), setting.label(), who, setting.nodes()));
  }

  /** The report with all tables. */
  Report report() {
    Report report = new Report();
    report.remark(
        "Word count over texts of random words: mapper, combiner, reducer, and a collator for the"
            + " ten most frequent words, on all nodes. Each node is a JVM of its own on the"
            + " loopback address; caches of several nodes are distributed with two owners, each"
            + " node primary of as many texts. MB/s is the mean of the executions. Each result is"
            + " checked.");
    report.remark(
        "Isogrid keeps bytes also on one node. Map/reduce of bytes: the mapper reads them in place,"
            + " and emits parts of them. Infinispan 8.2, the last one that has map/reduce: with"
            + " distributed reduce phase and shared intermediate cache; on this JVM, with a newer"
            + " JBoss Marshalling and without a look at who is logged in. Stream: the values, in"
            + " parallel, collected into a map with the same function.");
    report.remark(
        "Plain loop: as many threads as processors over arrays of the same bytes, each made a"
            + " String and counted by the same function; the plain byte loop makes no objects. It"
            + " is measured once for each kind of texts of an experiment, over a quarter of the"
            + " heap at most, since its speed does not depend on their amount.");
    report.remark(
        "Words: 1 to 20 characters long, as many of each length, unless options say otherwise,"
            + " separated by a space: those of the published experiments' tool.");
    failures.forEach(failure -> report.remark("Failed or did not finish, see the log: " + failure));
    if (!experiments.isEmpty()) {
      report.add(new MapReduceTargets(experiments).table());
    }
    experiments.forEach((experiment, rows) -> {
      report.add(table(experiment, rows));
      if (experiment.isDrawn()) {
        report.attach("-" + experiment.id() + ".svg", picture(experiment, rows).svg());
      }
    });
    return report;
  }

  private static Table table(WordCountExperiment experiment, Map<Row, Figures> rows) {
    Table table =
        new Table(
            experiment.heading(),
            3,
            List.of(
                "setting",
                "library",
                "way",
                "nodes",
                "MB/s",
                "median",
                "min",
                "max",
                "part of the loop",
                "part of one node",
                "processor s/GB",
                "times one node's"));
    rows.forEach((row, figures) -> {
      boolean isLoop = row.way.isLoop();
      List<String> cells = new ArrayList<>();
      cells.add(row.setting.label());
      cells.add(isLoop ? "-" : row.library.label());
      cells.add(row.way.label());
      cells.add(isLoop ? "-" : String.valueOf(row.setting.nodes()));
      cells.add(Samples.text(figures.speed.mean()));
      cells.addAll(figures.speed.cells());
      cells.add(ratio(figures, loop(rows, row), Figures::speed));
      Figures alone = isLoop ? new Figures() : alone(rows, row);
      cells.add(ratio(figures, alone, Figures::speed));
      cells.add(Samples.text(figures.cost.mean()));
      cells.add(ratio(figures, alone, Figures::cost));
      table.add(cells);
    });
    return table;
  }

  /** The figures of the comparable loop; none if it was not measured. */
  static Figures loop(Map<Row, Figures> rows, Row row) {
    return find(
        rows,
        other -> other.way == row.way.loop() && other.setting.texts().equals(row.setting.texts()));
  }

  /** The figures of the same row on one node; none if it was not measured. */
  static Figures alone(Map<Row, Figures> rows, Row row) {
    boolean isOfNodes = row.setting.experiment().isOfNodes();
    return find(
        rows,
        other ->
            other.isSame(row)
                && other.setting.nodes() == 1
                && (isOfNodes || other.setting.label().equals(row.setting.label())));
  }

  private static String ratio(Figures figures, Figures to, Function<Figures, Samples> which) {
    return Samples.text(which.apply(figures).mean() / which.apply(to).mean());
  }

  private static Figures find(Map<Row, Figures> rows, Predicate<Row> isWanted) {
    return rows.entrySet().stream()
        .filter(row -> isWanted.test(row.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElseGet(Figures::new);
  }

  private static LineChart picture(WordCountExperiment experiment, Map<Row, Figures> rows) {
    SequencedSet<String> values = new LinkedHashSet<>();
    SequencedSet<String> series = new LinkedHashSet<>();
    rows.keySet()
        .forEach(row -> {
          values.add(row.value());
          series.add(row.series());
        });
    LineChart chart =
        new LineChart(
            experiment.heading() + ": word count",
            experiment.isOfNodes() ? "MB/s, by nodes" : "MB/s",
            List.copyOf(values));
    for (String each : series) {
      chart.add(each, values.stream().map(value -> speed(rows, each, value)).toList());
    }
    return chart;
  }

  /**
   * The speed at a position of a picture. The speed of a loop does not depend on nodes or amounts.
   */
  private static double speed(Map<Row, Figures> rows, String series, String value) {
    Predicate<Row> isWanted = row -> row.series().equals(series);
    Predicate<Row> isHere =
        row ->
            row.value().equals(value)
                || (row.way.isLoop() && row.setting.experiment() != WordCountExperiment.SIZES);
    return find(rows, isWanted.and(isHere)).speed.mean();
  }
}
