package dev.isogrid.bench.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.bench.report.Report;
import dev.isogrid.bench.run.Arguments;
import dev.isogrid.bench.run.CommandForm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class MapReduceFiguresTest {
  private static final WordTexts.Spec TEXTS = new WordTexts.Spec(8000, 1, 20, 100);

  @TempDir private Path folder;

  private final MapReduceFigures figures = new MapReduceFigures();

  private void add(
      WordCountExperiment experiment, int nodes, WordCountWay way, double speed, double cost) {
    WordCountSetting setting =
        new WordCountSetting(experiment, nodes * 100 + " MB", nodes, nodes * 100, TEXTS);
    MapReduceFigures.Figures found =
        figures.of(new MapReduceFigures.Row(setting, way, ClusterLibrary.ISOGRID));
    found.speed().add(speed);
    found.cost().add(cost);
  }

  @Test
  void report_ofTwoNodes_comparesWithLoopAndOneNode() throws Exception {
    add(WordCountExperiment.GROWING, 1, WordCountWay.LOOP, 500, 2);
    add(WordCountExperiment.GROWING, 1, WordCountWay.MAP_REDUCE, 400, 2);
    add(WordCountExperiment.GROWING, 2, WordCountWay.MAP_REDUCE, 300, 3);
    Report report = figures.report();

    Path file = report.write(folder, "mapreduce", Map.of());

    String row = line(report, "| 200 MB");
    assertEquals(
        List.of("2", "300", "300", "300", "300", "0.60", "0.75", "3.00", "1.50"),
        cells(row).subList(3, 12));
    String stem = file.getFileName().toString().replace(".md", "");
    String picture = Files.readString(folder.resolve(stem + "-growing.svg"));
    assertTrue(picture.contains(">plain loop</text>"), picture);
    assertTrue(picture.contains(">Isogrid, map/reduce</text>"), picture);
    assertEquals(4, picture.split("<circle", -1).length - 1, "the loop's is at all nodes");
  }

  @Test
  void targets_withFigures_haveTheWorst() {
    add(WordCountExperiment.FIXED, 1, WordCountWay.LOOP, 500, 2);
    add(WordCountExperiment.FIXED, 1, WordCountWay.MAP_REDUCE, 450, 2);
    add(WordCountExperiment.FIXED, 2, WordCountWay.MAP_REDUCE, 360, 2.1);
    add(WordCountExperiment.FIXED, 4, WordCountWay.MAP_REDUCE, 405, 2.3);
    add(WordCountExperiment.FIXED, 8, WordCountWay.MAP_REDUCE, 90, 2.5);
    add(WordCountExperiment.GROWING, 1, WordCountWay.MAP_REDUCE, 400, 2);
    add(WordCountExperiment.GROWING, 8, WordCountWay.MAP_REDUCE, 100, 3);
    addOfSize(1, 1, 80);
    addOfSize(1, 2048, 120);
    addOfSize(2, 1, 50);
    addOfSize(2, 2048, 50);
    Report report = figures.report();

    assertEquals("0.90", found(report, "one node, strings"));
    assertEquals("-", found(report, "one node, bytes"));
    assertEquals("0.80", found(report, "two to four nodes"));
    assertEquals("0.20", found(report, "sizes of values"));
    assertEquals("-", found(report, "long words"));
    assertEquals("1.50", found(report, "processor seconds"));
  }

  private void addOfSize(int nodes, int kilobytes, double speed) {
    WordCountSetting setting =
        new WordCountSetting(
            WordCountExperiment.SIZES,
            kilobytes + " kB",
            nodes,
            100,
            new WordTexts.Spec(kilobytes * 1000, 1, 20, 100));
    figures
        .of(new MapReduceFigures.Row(setting, WordCountWay.MAP_REDUCE, ClusterLibrary.ISOGRID))
        .speed()
        .add(speed);
  }

  private static String found(Report report, String target) {
    return cells(line(report, "| " + target)).getLast();
  }

  @Test
  void report_withoutALoop_hasNoPartOfIt() {
    add(WordCountExperiment.LONG, 2, WordCountWay.MAP_REDUCE, 300, 3);

    List<String> cells = cells(line(figures.report(), "| 200 MB"));

    assertEquals("-", cells.get(8));
    assertEquals("-", cells.get(9));
  }

  @Test
  void report_withAFailure_saysWhose() {
    figures.failed(
        new WordCountSetting(WordCountExperiment.LONG, "many", 2, 100, TEXTS), "Infinispan 8.2");

    String body = figures.report().body();

    assertTrue(body.contains("Long words, many, Infinispan 8.2, nodes: 2"), body);
  }

  @Test
  void trials_withFigures_haveTables() {
    TrialFigures trials = new TrialFigures();
    Report report = new Report();
    trials.add(new TrialFigures.Kill(2_000_000_000L, 0.5, 3_000_000_000L, 0.25, 7, 2));
    trials.add(
        TrialFigures.Spill.of(
            100,
            30,
            new long[] {
              4_000_000_000L, 9, 300_000_000, 280_000_000, 52_428_800, 41_943_040, 1, 90, 12
            }));
    trials.add(new TrialFigures.Watching(200, 199));
    trials.failed(WordCountExperiment.KILL);

    trials.addTo(report);

    assertEquals(
        List.of("0.50", "2.00", "3.00", "0.25", "0.33", "7", "2"),
        cells(line(report, "|             0.50")));
    assertEquals(
        List.of("100", "30", "300", "280", "4.00", "50.0", "40.0", "1", "90", "12"),
        cells(line(report, "|     100")));
    assertTrue(line(report, "| progress callback").contains(" 0.995 |"), report::body);
    assertTrue(report.body().contains("Failed, see the log: A node killed halfway"));
    assertFalse(report.body().contains("NaN"), report::body);
  }

  @Test
  void settings_ofTheUsualOptions_areThePublishedExperiments() {
    CommandForm form = new CommandForm("one", "One.", new MapReduceBenchmark().options(), Map.of());
    Arguments arguments = form.read(new CommandLine(form.spec()).parseArgs());

    List<WordCountSetting> growing = WordCountSetting.of(WordCountExperiment.GROWING, arguments);
    List<WordCountSetting> sizes = WordCountSetting.of(WordCountExperiment.SIZES, arguments);
    List<WordCountSetting> heap = WordCountSetting.of(WordCountExperiment.HEAP, arguments);

    assertEquals(List.of(1, 2, 4, 8), growing.stream().map(WordCountSetting::nodes).toList());
    assertEquals(
        List.of(200, 400, 800, 1600), growing.stream().map(WordCountSetting::megabytes).toList());
    assertEquals(12, sizes.size());
    assertEquals(2_048_000, sizes.getLast().texts().valueSize());
    assertEquals(97, sizes.getLast().count());
    assertEquals(
        List.of(50, 100, 200, 300), heap.stream().map(WordCountSetting::megabytes).toList());
    assertEquals(6250, heap.getFirst().count());
    assertEquals(1250, heap.getFirst().countIn(10_000_000));
  }

  private static String line(Report report, String begin) {
    return report
        .body()
        .lines()
        .filter(line -> line.startsWith(begin))
        .findFirst()
        .orElseThrow(() -> new AssertionError(report.body()));
  }

  private static List<String> cells(String row) {
    List<String> parts = List.of(row.split("\\|", -1));
    return parts.subList(1, parts.size() - 1).stream().map(String::strip).toList();
  }
}
