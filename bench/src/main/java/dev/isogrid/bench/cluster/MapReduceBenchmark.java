package dev.isogrid.bench.cluster;

import dev.isogrid.bench.report.Report;
import dev.isogrid.bench.run.Arguments;
import dev.isogrid.bench.run.Benchmark;
import dev.isogrid.bench.run.Checkout;
import dev.isogrid.bench.run.Option;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Word count on embedded nodes, each in a process of its own: {@code ./isogrid bench mapreduce}.
 */
public final class MapReduceBenchmark implements Benchmark {
  private static final int ROUNDS_MAX = 1000;
  private static final int WARM_UPS_MIN = 2;
  private static final int EXECUTIONS_MIN = 3;
  private static final int EXECUTIONS_MAX = 1000;
  private static final int SECONDS_MAX = 1000;
  private static final int NANOS_PER_SECOND = 1_000_000_000;

  /** The part of its heap that a process of the plain loop fills with texts. */
  private static final int LOOP_HEAP_PART = 4;

  private static final System.Logger log = System.getLogger(MapReduceBenchmark.class.getName());

  @Override
  public String name() {
    return "mapreduce";
  }

  @Override
  public String summary() {
    return "word count by map/reduce: nodes, amounts, sizes, failures, memory; beside a plain loop";
  }

  @Override
  public List<Option> options() {
    String experiments =
        Arrays.stream(WordCountExperiment.values())
            .map(WordCountExperiment::id)
            .collect(Collectors.joining(","));
    return List.of(
        Option.of("--experiments", Option.Kind.WORDS, experiments, "The experiments to run."),
        Option.of("--rounds", Option.Kind.COUNT, "1", "Rounds; in each, all nodes start anew."),
        new Option(
            "--executions",
            Option.Kind.COUNT,
            "10",
            "3",
            "Executions that count, after some that don't."),
        new Option(
            "--warm-up-seconds",
            Option.Kind.SECONDS,
            "8",
            "1",
            "Executions before these, for each node; two at least."),
        new Option(
            "--measure-seconds",
            Option.Kind.SECONDS,
            "15",
            "5",
            "Ends executions early, after three at least."),
        Option.of(
            "--libraries", Option.Kind.WORDS, "isogrid,infinispan,infinispan-8", "The libraries."),
        new Option("--nodes", Option.Kind.COUNTS, "1,2,4,8", "1,2", "Sizes of clusters."),
        new Option(
            "--megabytes",
            Option.Kind.MEGABYTES,
            "200",
            "20",
            "Texts, of one node where they grow with them."),
        new Option(
            "--heap-shares",
            Option.Kind.PERCENTS,
            "5,10,20,30",
            "10",
            "Texts in per cent of a node's heap."),
        new Option(
            "--value-sizes",
            Option.Kind.KILOBYTES,
            "1,8,32,128,512,2048",
            "1,512",
            "Sizes of texts, in kB."),
        Option.of("--words", Option.Kind.COUNT, "100", "Different words."),
        Option.of(
            "--word-length",
            Option.Kind.COUNT,
            "20",
            "Characters of the longest ones; 1 of the shortest."),
        Option.of(
            "--long-words",
            Option.Kind.COUNT,
            "10000",
            "Different words in the experiment with long ones."),
        Option.of("--long-word-length", Option.Kind.COUNT, "80", "Characters of such a word."),
        Option.of("--heap-megabytes", Option.Kind.MEGABYTES, "1000", "Heap of a node."),
        new Option("--kills", Option.Kind.COUNT, "3", "1", "How often a node is killed."),
        new Option(
            "--spill-megabytes",
            Option.Kind.MEGABYTES,
            "400",
            "150",
            "Heap of the node that spills."));
  }

  @Override
  public Report run(Arguments arguments, Checkout checkout)
      throws IOException, InterruptedException {
    List<WordCountExperiment> experiments =
        arguments.words("--experiments").stream().map(WordCountExperiment::of).toList();
    Set<ClusterLibrary> possible = EnumSet.allOf(ClusterLibrary.class);
    List<ClusterLibrary> libraries =
        arguments.words("--libraries").stream()
            .map(word -> ClusterLibrary.of(word, possible))
            .toList();
    MapReduceFigures figures = new MapReduceFigures();
    TrialFigures trials = new TrialFigures();
    int rounds = arguments.number("--rounds", ROUNDS_MAX);
    for (int round = 1; round <= rounds; round++) {
      System.err.printf("round %d of %d%n", round, rounds);
      for (WordCountExperiment experiment : experiments) {
        new Round(arguments, checkout, libraries, figures).run(experiment);
        new MapReduceTrials(arguments, checkout, trials).run(experiment);
      }
    }
    Report report = figures.report();
    trials.addTo(report);
    return report;
  }

  private record Round(
      Arguments arguments,
      Checkout checkout,
      List<ClusterLibrary> libraries,
      MapReduceFigures figures) {
    void run(WordCountExperiment experiment) throws InterruptedException {
      Set<WordTexts.Spec> looped = new HashSet<>();
      for (WordCountSetting setting : WordCountSetting.of(experiment, arguments)) {
        System.err.printf(
            "%s, %s, nodes: %d%n", experiment.heading(), setting.label(), setting.nodes());
        if (looped.add(setting.texts())) {
          tryTo(setting, "plain loop", () -> loop(setting));
        }
        for (ClusterLibrary library : libraries) {
          tryTo(setting, library.label(), () -> count(setting, library));
        }
      }
    }

    /** Something to measure that may fail. */
    @FunctionalInterface
    private interface Part {
      void run() throws IOException, InterruptedException;
    }

    /**
     * The other measurements still have figures if one fails; the report names the missing ones.
     */
    private void tryTo(WordCountSetting setting, String who, Part part)
        throws InterruptedException {
      try {
        part.run();
      } catch (IOException | IllegalStateException failure) {
        figures.failed(setting, who);
        log.log(Level.WARNING, who + " failed: " + setting, failure);
      }
    }

    private int heap() {
      return arguments.number("--heap-megabytes", WordCountSetting.MEGABYTES_MAX);
    }

    private void loop(WordCountSetting setting) throws IOException, InterruptedException {
      long bytes = (long) heap() * WordCountSetting.MEGABYTE / LOOP_HEAP_PART;
      int count = setting.countIn(bytes);
      try (MapReduceNodes one = MapReduceNodes.start(checkout, ClusterLibrary.ISOGRID, 1, heap())) {
        for (WordCountWay way : List.of(WordCountWay.LOOP, WordCountWay.BYTE_LOOP)) {
          measure(one, setting, new Counting(ClusterLibrary.ISOGRID, way, count));
        }
      }
    }

    private void count(WordCountSetting setting, ClusterLibrary library)
        throws IOException, InterruptedException {
      try (MapReduceNodes nodes =
          MapReduceNodes.start(checkout, library, setting.nodes(), heap())) {
        long digest = nodes.fill(setting)[0];
        for (WordCountWay way : WordCountWay.of(library)) {
          long found = measure(nodes, setting, new Counting(library, way, setting.count()));
          if (found != digest) {
            throw new IllegalStateException(
                "wrong counts: library=%s, way=%s, setting=%s".formatted(library, way, setting));
          }
        }
      }
    }

    /**
     * One word count to measure.
     *
     * @param values the number of values
     */
    private record Counting(ClusterLibrary library, WordCountWay way, int values) {}

    /** Counts repeatedly; returns the digest, which is the same each time. */
    private long measure(MapReduceNodes nodes, WordCountSetting setting, Counting counting)
        throws IOException {
      String order =
          "%s %s %d %s"
              .formatted(
                  MemberProcess.COUNT_WORDS, counting.way, counting.values, setting.texts().line());
      MapReduceFigures.Figures found =
          figures.of(new MapReduceFigures.Row(setting, counting.way, counting.library));
      double megabytes = setting.exactMegabytes(counting.values);
      long digest = warmUp(nodes, order);
      double rest = arguments.number("--measure-seconds", SECONDS_MAX);
      int executions = arguments.number("--executions", EXECUTIONS_MAX);
      double before = nodes.processorSeconds();
      int done = 0;
      for (; done < executions && (done < EXECUTIONS_MIN || rest > 0); done++) {
        long[] result = nodes.first().ask(order);
        if (result[1] != digest) {
          throw new IllegalStateException("not the same counts each time: " + order);
        }
        double seconds = (double) result[0] / NANOS_PER_SECOND;
        rest -= seconds;
        found.speed().add(megabytes / seconds);
      }
      double gigabytes = done * megabytes / WordCountSetting.KILOBYTE;
      found.cost().add((nodes.processorSeconds() - before) / gigabytes);
      System.err.printf(
          "  %s, %s: %.0f MB/s%n",
          counting.library.label(), counting.way.label(), found.speed().mean());
      return digest;
    }

    /** Executes until the compilers of all nodes are done; returns the digest. */
    private long warmUp(MapReduceNodes nodes, String order) throws IOException {
      MemberChild first = nodes.first();
      double rest = (double) nodes.count() * arguments.number("--warm-up-seconds", SECONDS_MAX);
      long[] result = first.ask(order);
      for (int i = 1; i < WARM_UPS_MIN || rest > 0; i++) {
        rest -= (double) result[0] / NANOS_PER_SECOND;
        result = first.ask(order);
      }
      return result[1];
    }
  }
}
