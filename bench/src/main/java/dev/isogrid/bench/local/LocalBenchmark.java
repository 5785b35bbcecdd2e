package dev.isogrid.bench.local;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.bench.report.Report;
import dev.isogrid.bench.report.Samples;
import dev.isogrid.bench.report.Table;
import dev.isogrid.bench.run.Arguments;
import dev.isogrid.bench.run.Benchmark;
import dev.isogrid.bench.run.Checkout;
import dev.isogrid.bench.run.Option;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs {@link LocalMaps} for all subjects and shows them side by side. */
public final class LocalBenchmark implements Benchmark {
  private static final String ALLOCATION = "gc.alloc.rate.norm";

  /**
   * The same for every subject: a heap with room for several times a million of the largest
   * entries, and no warnings about JMH's own calls.
   */
  private static final List<String> JVM_OPTIONS =
      List.of("-Xms3g", "-Xmx3g", "--sun-misc-unsafe-memory-access=allow");

  @Override
  public String name() {
    return "local";
  }

  @Override
  public String summary() {
    return "get and put of the embedded cache, of ConcurrentHashMap, Caffeine and Infinispan";
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option(
            "--entries",
            Option.Kind.COUNTS,
            "1000,100000,1000000",
            "1000,100000",
            "Sizes of the map."),
        Option.of("--threads", Option.Kind.COUNTS, "1,2", "Numbers of threads that call at once."),
        Option.of(
            "--distributions",
            Option.Kind.WORDS,
            "uniform,zipf",
            "Which keys are asked for; zipf is 0.99."),
        Option.of("--operations", Option.Kind.WORDS, "get,put", "The calls."),
        Option.of(
            "--subjects",
            Option.Kind.WORDS,
            "all",
            "Some of " + Arrays.toString(Subject.values()) + "."),
        Option.of("--value-size", Option.Kind.BYTES, "100", "Bytes of a value."),
        new Option("--forks", Option.Kind.COUNT, "3", "1", "JVMs for each figure."),
        new Option(
            "--warmup", Option.Kind.COUNT, "3", "2", "Iterations of a fork that are not counted."),
        new Option(
            "--iterations", Option.Kind.COUNT, "5", "3", "Iterations of a fork that are counted."),
        new Option("--millis", Option.Kind.MILLIS, "1000", "300", "Milliseconds of an iteration."));
  }

  @Override
  public Report run(Arguments arguments, Checkout checkout) {
    List<Subject> subjects = subjects(arguments);
    Report report = new Report();
    report.remark(
        "Time of one call as one thread sees it, in ns: median, smallest and largest over the"
            + " iterations of all forks. B/op is the allocation per call.");
    report.remark(
        "x CHM: the median over that of ConcurrentHashMap in the same row of parameters.");
    report.remark(
        "Every get hits, every put replaces; one JVM for each subject, with the options "
            + String.join(" ", JVM_OPTIONS)
            + " besides those of the command.");
    for (String operation : choice(arguments, "--operations", List.of("get", "put"))) {
      for (int threads : arguments.numbers("--threads", 64)) {
        report.add(table(arguments, operation, threads, subjects));
      }
    }
    return report;
  }

  private static List<Subject> subjects(Arguments arguments) {
    List<String> names = Arrays.stream(Subject.values()).map(Subject::name).toList();
    return arguments.text("--subjects").equals("all")
        ? List.of(Subject.values())
        : choice(arguments, "--subjects", names).stream().map(Subject::valueOf).toList();
  }

  private static List<String> choice(Arguments arguments, String option, List<String> allowed) {
    List<String> words = arguments.words(option);
    for (String word : words) {
      if (!allowed.contains(word)) {
        throw new InvalidRequestException(
            "%s %s is not allowed; there are %s".formatted(option, word, allowed));
      }
    }
    return words;
  }

  private static Table table(
      Arguments arguments, String operation, int threads, List<Subject> subjects) {
    Table table =
        new Table(
            "%s, %d thread%s".formatted(operation, threads, threads == 1 ? "" : "s"),
            2,
            List.of("map", "keys", "entries", "ns", "min", "max", "x CHM", "B/op"));
    for (int entries : arguments.numbers("--entries", 10_000_000)) {
      for (String distribution : choice(arguments, "--distributions", List.of("uniform", "zipf"))) {
        System.err.printf(
            "%s, %d threads, %d entries, %s%n", operation, threads, entries, distribution);
        ChainedOptionsBuilder options =
            options(arguments, operation)
                .threads(threads)
                .param("entries", String.valueOf(entries))
                .param("distribution", distribution.toUpperCase(Locale.ROOT));
        addRows(table, run(options, subjects));
      }
    }
    return table;
  }

  private static ChainedOptionsBuilder options(Arguments arguments, String operation) {
    TimeValue time = TimeValue.milliseconds(arguments.number("--millis", 60_000));
    return new OptionsBuilder()
        .include(LocalMaps.class.getName().replace(".", "\\.") + "\\." + operation + "$")
        .param("valueSize", String.valueOf(arguments.number("--value-size", 100_000)))
        .forks(arguments.number("--forks", 100))
        .warmupIterations(arguments.number("--warmup", 100))
        .warmupTime(time)
        .measurementIterations(arguments.number("--iterations", 100))
        .measurementTime(time)
        .addProfiler(GCProfiler.class)
        .jvmArgsAppend(JVM_OPTIONS.toArray(String[]::new))
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT);
  }

  private static Map<Subject, RunResult> run(
      ChainedOptionsBuilder options, List<Subject> subjects) {
    String[] names = subjects.stream().map(Subject::name).toArray(String[]::new);
    Collection<RunResult> results;
    try {
      results = new Runner(options.param("subject", names).build()).run();
    } catch (RunnerException failure) {
      throw new IllegalStateException("benchmark failed: " + failure.getMessage(), failure);
    }
    Map<Subject, RunResult> bySubject = new TreeMap<>();
    results.forEach(
        result -> bySubject.put(Subject.valueOf(result.getParams().getParam("subject")), result));
    return bySubject;
  }

  private static void addRows(Table table, Map<Subject, RunResult> results) {
    RunResult first = results.get(Subject.CONCURRENT_HASH_MAP);
    double yardstick = first == null ? Double.NaN : samples(first).median();
    results.forEach((subject, result) -> {
      Samples samples = samples(result);
      List<String> cells = new ArrayList<>();
      cells.add(subject.label());
      cells.add(result.getParams().getParam("distribution").toLowerCase(Locale.ROOT));
      cells.add(result.getParams().getParam("entries"));
      cells.addAll(samples.cells());
      cells.add(Samples.text(samples.median() / yardstick));
      Result<?> allocation = result.getSecondaryResults().get(ALLOCATION);
      cells.add(Samples.text(allocation == null ? Double.NaN : allocation.getScore()));
      table.add(cells);
      System.err.println("  " + String.join("  ", cells));
    });
  }

  private static Samples samples(RunResult result) {
    Samples samples = new Samples();
    for (BenchmarkResult fork : result.getBenchmarkResults()) {
      for (IterationResult iteration : fork.getIterationResults()) {
        samples.add(iteration.getPrimaryResult().getScore());
      }
    }
    return samples;
  }
}
