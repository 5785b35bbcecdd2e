package dev.isogrid.bench.memory;

import dev.isogrid.bench.report.BarChart;
import dev.isogrid.bench.report.Report;
import dev.isogrid.bench.report.Samples;
import dev.isogrid.bench.report.Table;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The figures of all rounds, and how they are shown. Not thread-safe. */
final class MemoryTables {
  private static final String CSV_HEADER =
      "set,row,round,counted,entries,entry_bytes,process_overhead,heap,resident,proportional,"
          + "own,reserved,resident_before,resident_after,proportional_before,proportional_after,"
          + "heap_used_before,heap_used_after,heap_resident_before,heap_resident_after\n";

  private final Map<DataSet, Map<Row, List<Growth>>> counted = new EnumMap<>(DataSet.class);
  private final StringBuilder csv = new StringBuilder(CSV_HEADER);

  /** Adds the figures of a round. An uncounted round goes only into the list of all rounds. */
  void add(Round round, Reading before, Reading after) {
    Growth growth = Growth.of(round.set(), before, after);
    if (round.isCounted()) {
      counted
          .computeIfAbsent(round.set(), _ -> new EnumMap<>(Row.class))
          .computeIfAbsent(round.row(), _ -> new ArrayList<>())
          .add(growth);
    }
    csv.append(csvLine(round, growth, before, after));
  }

  private static String csvLine(Round round, Growth growth, Reading before, Reading after) {
    DataSet set = round.set();
    return String.format(
        Locale.ROOT,
        "%s,%s,%d,%s,%d,%d,%s,%s,%s,%s,%s,%s,%d,%d,%d,%d,%d,%d,%d,%d%n",
        set.id(),
        round.row().id(),
        round.number(),
        round.isCounted() ? "yes" : "no",
        set.count(),
        set.entrySize(),
        cell(growth.process() - set.entrySize()),
        cell(growth.heap()),
        cell(growth.resident()),
        cell(growth.proportional()),
        cell(growth.own()),
        cell(growth.reserved()),
        before.all().residentBytes(),
        after.all().residentBytes(),
        before.all().proportionalBytes(),
        after.all().proportionalBytes(),
        before.heap().usedBytes(),
        after.heap().usedBytes(),
        before.mappedHeap().residentBytes(),
        after.mappedHeap().residentBytes());
  }

  /** A number with a point; nothing if there is none. */
  private static String cell(double figure) {
    return Double.isNaN(figure) ? "" : String.format(Locale.ROOT, "%.3f", figure);
  }

  /** All rounds as comma-separated values. */
  String csv() {
    return csv.toString();
  }

  /** Adds the tables, the list of all rounds and the picture, as far as there are figures. */
  void addTo(Report report) {
    counted.forEach((set, rows) -> report.add(table(set, rows)));
    report.attach(".csv", csv());
    DataSet largest = counted.keySet().stream().reduce((_, last) -> last).orElse(null);
    if (largest != null) {
      report.attach(".svg", picture(largest).svg());
    }
  }

  private static Table table(DataSet set, Map<Row, List<Growth>> rows) {
    Table table =
        new Table(
            set.label() + ": bytes an entry",
            1,
            List.of(
                "row",
                "overhead",
                "min",
                "max",
                "by heap",
                "heap",
                "resident",
                "proportional",
                "own count",
                "reserved"));
    rows.forEach((row, growths) -> {
      Samples overhead = samples(growths, growth -> growth.process() - set.entrySize());
      double heap = mean(growths, Growth::heap);
      List<String> cells = new ArrayList<>();
      cells.add(row.label());
      cells.add(Samples.text(mean(growths, growth -> growth.process() - set.entrySize())));
      cells.add(Samples.text(overhead.min()));
      cells.add(Samples.text(overhead.max()));
      // With the entries elsewhere, the heap does not show their overhead.
      cells.add(Samples.text(heap < set.entrySize() ? Double.NaN : heap - set.entrySize()));
      cells.add(Samples.text(heap));
      cells.add(Samples.text(mean(growths, Growth::resident)));
      cells.add(Samples.text(mean(growths, Growth::proportional)));
      cells.add(Samples.text(mean(growths, Growth::own)));
      cells.add(Samples.text(mean(growths, Growth::reserved)));
      table.add(cells);
    });
    return table;
  }

  private BarChart picture(DataSet set) {
    BarChart chart = new BarChart("Overhead of an entry in bytes: " + set.label());
    counted
        .getOrDefault(set, Map.of())
        .forEach((row, growths) ->
            chart.add(
                row.label(),
                mean(growths, growth -> growth.process() - set.entrySize()),
                row.isOwn()));
    return chart;
  }

  private static Samples samples(List<Growth> growths, ToDoubleFunction<Growth> figure) {
    Samples samples = new Samples();
    growths.forEach(growth -> samples.add(figure.applyAsDouble(growth)));
    return samples;
  }

  private static double mean(List<Growth> growths, ToDoubleFunction<Growth> figure) {
    return growths.stream().mapToDouble(figure).average().orElse(Double.NaN);
  }
}
