package dev.isogrid.bench.cluster;

import dev.isogrid.bench.cluster.MapReduceFigures.Figures;
import dev.isogrid.bench.cluster.MapReduceFigures.Row;
import dev.isogrid.bench.report.Samples;
import dev.isogrid.bench.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * The targets of our map/reduce and the results: for each target, the worst of its figures.
 *
 * @param experiments all figures
 */
record MapReduceTargets(Map<WordCountExperiment, Map<Row, Figures>> experiments) {
  private static final List<WordCountWay> OURS =
      List.of(WordCountWay.MAP_REDUCE, WordCountWay.BYTE_MAP_REDUCE);

  /**
   * The most nodes whose speed is compared with that of one node: more nodes only share processors.
   */
  private static final int NODES_MAX = 4;

  /** The table; a target without figures has no row. */
  Table table() {
    Table table = new Table("Targets", 1, List.of("what", "wanted", "found"));
    Predicate<Row> isAlone = row -> row.setting().nodes() == 1;
    Predicate<Row> isShared = row -> row.setting().nodes() > 1;
    Predicate<Row> isFew = row -> row.setting().nodes() <= NODES_MAX;
    add(
        table,
        "one node, strings: part of the loop",
        "0.85 or more",
        ours(WordCountExperiment.FIXED, isAlone.and(is(WordCountWay.MAP_REDUCE)), this::ofLoop)
            .min());
    add(
        table,
        "one node, bytes: part of the loop",
        "0.80 or more",
        ours(WordCountExperiment.FIXED, isAlone.and(is(WordCountWay.BYTE_MAP_REDUCE)), this::ofLoop)
            .min());
    add(
        table,
        "two to four nodes: part of one node's speed",
        "0.90 or more",
        ours(WordCountExperiment.FIXED, isShared.and(isFew), this::speedOfOne).min());
    add(
        table,
        "sizes of values: farthest from the mean, as a part of it",
        "0.15 or less",
        Stream.of(1, 2).flatMapToDouble(this::fromMean).max());
    add(
        table,
        "long words: part of the loop",
        "0.60 or more",
        ours(WordCountExperiment.LONG, is(WordCountWay.MAP_REDUCE), this::ofLoop).min());
    add(
        table,
        "processor seconds for 1 GB, all nodes: times one node's",
        "1.10 or less",
        DoubleStream.concat(
                ours(WordCountExperiment.FIXED, isShared, this::costOfOne),
                ours(WordCountExperiment.GROWING, isShared, this::costOfOne))
            .max());
    return table;
  }

  private static void add(Table table, String what, String wanted, OptionalDouble found) {
    table.add(List.of(what, wanted, Samples.text(found.orElse(Double.NaN))));
  }

  private static Predicate<Row> is(WordCountWay way) {
    return row -> row.way() == way;
  }

  private Map<Row, Figures> rows(WordCountExperiment experiment) {
    return experiments.getOrDefault(experiment, Map.of());
  }

  /** Our figures of an experiment, as far as they exist. */
  private DoubleStream ours(
      WordCountExperiment experiment,
      Predicate<Row> isWanted,
      ToDoubleBiFunction<Row, Figures> of) {
    return rows(experiment).entrySet().stream()
        .filter(row -> row.getKey().library() == ClusterLibrary.ISOGRID)
        .filter(row -> OURS.contains(row.getKey().way()) && isWanted.test(row.getKey()))
        .mapToDouble(row -> of.applyAsDouble(row.getKey(), row.getValue()))
        .filter(figure -> !Double.isNaN(figure));
  }

  private double ofLoop(Row row, Figures figures) {
    return figures.speed().mean() / MapReduceFigures.loop(rows(row), row).speed().mean();
  }

  private double speedOfOne(Row row, Figures figures) {
    return figures.speed().mean() / MapReduceFigures.alone(rows(row), row).speed().mean();
  }

  private double costOfOne(Row row, Figures figures) {
    return figures.cost().mean() / MapReduceFigures.alone(rows(row), row).cost().mean();
  }

  private Map<Row, Figures> rows(Row row) {
    return rows(row.setting().experiment());
  }

  /** The differences of the sizes from their mean, for each way on this number of nodes. */
  private DoubleStream fromMean(int nodes) {
    List<Double> all = new ArrayList<>();
    for (WordCountWay way : OURS) {
      Predicate<Row> isOne = is(way).and(row -> row.setting().nodes() == nodes);
      Samples speeds = new Samples();
      ours(WordCountExperiment.SIZES, isOne, (_, figures) -> figures.speed().mean())
          .forEach(speeds::add);
      if (speeds.count() > 0) {
        all.add(speeds.max() / speeds.mean() - 1);
        all.add(1 - speeds.min() / speeds.mean());
      }
    }
    return all.stream().mapToDouble(Double::doubleValue);
  }
}
