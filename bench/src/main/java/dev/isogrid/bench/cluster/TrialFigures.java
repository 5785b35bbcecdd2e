package dev.isogrid.bench.cluster;

import dev.isogrid.bench.report.Report;
import dev.isogrid.bench.report.Samples;
import dev.isogrid.bench.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The measurements of {@link MapReduceTrials}, with tables. Not thread-safe. */
final class TrialFigures {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double PERCENT = 100;

  private final List<Kill> kills = new ArrayList<>();
  private final List<Spill> spills = new ArrayList<>();
  private final Samples unwatched = new Samples();
  private final Samples watched = new Samples();
  private final List<String> failures = new ArrayList<>();

  /**
   * The trial in which a node is killed.
   *
   * @param undisturbedNanos the time of the same task without the kill
   * @param done the part of the segments that were done at the kill
   * @param nanos the time with the kill
   * @param extra the additionally mapped entries as a part of all entries
   * @param repeated the number of segments that were mapped again
   * @param lost the number of lost partitions of the result
   */
  record Kill(
      long undisturbedNanos, double done, long nanos, double extra, long repeated, long lost) {}

  /**
   * The trial whose intermediate results do not fit into the heap.
   *
   * @param heapMegabytes all of it
   * @param textMegabytes the texts in it
   * @param found the answer of {@link TrialWork.Step#EXPAND}
   */
  record Spill(int heapMegabytes, int textMegabytes, List<Long> found) {
    private static final int SENT = 2;
    private static final int SPILLED = 3;
    private static final int USED = 4;
    private static final int LEFT = 5;
    private static final int FULL_COUNT = 6;
    private static final int FULL_MILLIS = 7;
    private static final int OTHER_MILLIS = 8;

    static Spill of(int heapMegabytes, int textMegabytes, long[] found) {
      List<Long> all = new ArrayList<>();
      for (long each : found) {
        all.add(each);
      }
      return new Spill(heapMegabytes, textMegabytes, List.copyOf(all));
    }

    private String number(int index) {
      return String.valueOf(found.get(index));
    }

    private String megabytes(int index) {
      return Samples.text((double) found.get(index) / WordCountSetting.MEGABYTE);
    }

    /** A part of the heap in per cent; the JVM's megabytes are 1024 * 1024 bytes. */
    private String percent(int index) {
      return Samples.text(found.get(index) * PERCENT / ((long) heapMegabytes << 20));
    }
  }

  /** The speeds of the same task without and with an observer, in MB/s. */
  record Watching(double unwatched, double watched) {}

  void add(Kill kill) {
    kills.add(kill);
  }

  void add(Spill spill) {
    spills.add(spill);
  }

  void add(Watching watching) {
    unwatched.add(watching.unwatched);
    watched.add(watching.watched);
  }

  /** Notes that a trial lacks figures. */
  void failed(WordCountExperiment trial) {
    failures.add(trial.heading());
  }

  /** Adds the tables, as far as there are figures. */
  void addTo(Report report) {
    failures.forEach(failure -> report.remark("Failed, see the log: " + failure));
    if (!kills.isEmpty()) {
      report.remark(
          "A node killed halfway: three nodes, each text split twenty times so that the task takes"
              + " long enough; extra: entries mapped beyond all there are, as a part of these, by"
              + " the statistics.");
      report.add(killTable());
    }
    if (!spills.isEmpty()) {
      report.remark(
          "Intermediate results of three times the heap: one node, texts of 30 % of its heap; a"
              + " pair for each word, none of which can be combined, handed over one by one. Use of"
              + " the heap and pauses are the JVM's own figures of each collection.");
      report.add(spillTable());
    }
    if (unwatched.count() > 0) {
      report.add(watchTable());
    }
  }

  private Table killTable() {
    return table(
        WordCountExperiment.KILL,
        kills,
        List.of(
            new Column<>("done when killed", kill -> Samples.text(kill.done)),
            new Column<>("s undisturbed", kill -> seconds(kill.undisturbedNanos)),
            new Column<>("s", kill -> seconds(kill.nanos)),
            new Column<>("extra", kill -> Samples.text(kill.extra)),
            new Column<>("the node's share", _ -> Samples.text(1.0 / MapReduceTrials.KILL_NODES)),
            new Column<>("segments repeated", kill -> String.valueOf(kill.repeated)),
            new Column<>("partitions lost", kill -> String.valueOf(kill.lost))));
  }

  private Table spillTable() {
    return table(
        WordCountExperiment.SPILL,
        spills,
        List.of(
            new Column<>("heap MB", spill -> String.valueOf(spill.heapMegabytes)),
            new Column<>("texts MB", spill -> String.valueOf(spill.textMegabytes)),
            new Column<>("pairs sent MB", spill -> spill.megabytes(Spill.SENT)),
            new Column<>("on disk MB", spill -> spill.megabytes(Spill.SPILLED)),
            new Column<>("s", spill -> seconds(spill.found.getFirst())),
            new Column<>("heap used % at most", spill -> spill.percent(Spill.USED)),
            new Column<>("% after collections", spill -> spill.percent(Spill.LEFT)),
            new Column<>("full collections", spill -> spill.number(Spill.FULL_COUNT)),
            new Column<>("longest ms", spill -> spill.number(Spill.FULL_MILLIS)),
            new Column<>("longest other ms", spill -> spill.number(Spill.OTHER_MILLIS))));
  }

  /** A column of a table in which each line is one trial. */
  private record Column<T>(String name, Function<T, String> cell) {}

  private static <T> Table table(
      WordCountExperiment experiment, List<T> trials, List<Column<T>> columns) {
    Table table = new Table(experiment.heading(), 0, columns.stream().map(Column::name).toList());
    for (T trial : trials) {
      table.add(columns.stream().map(column -> column.cell.apply(trial)).toList());
    }
    return table;
  }

  private static String seconds(long nanos) {
    return Samples.text(nanos / NANOS_PER_SECOND);
  }

  private Table watchTable() {
    Table table =
        new Table(
            WordCountExperiment.PROGRESS.heading(),
            1,
            List.of("", "MB/s", "median", "min", "max", "part of unwatched", "by median"));
    addRow(table, "unwatched", unwatched);
    addRow(table, "progress callback, statistics all the time", watched);
    return table;
  }

  private void addRow(Table table, String label, Samples samples) {
    List<String> cells = new ArrayList<>();
    cells.add(label);
    cells.add(Samples.text(samples.mean()));
    cells.addAll(samples.cells());
    cells.add("%.3f".formatted(samples.mean() / unwatched.mean()));
    cells.add("%.3f".formatted(samples.median() / unwatched.median()));
    table.add(cells);
  }
}
