package dev.isogrid.bench;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.bench.client.ClientBenchmark;
import dev.isogrid.bench.cluster.ClusterBenchmark;
import dev.isogrid.bench.cluster.MapReduceBenchmark;
import dev.isogrid.bench.cluster.StreamBenchmark;
import dev.isogrid.bench.codec.CodecBenchmark;
import dev.isogrid.bench.embedded.EmbeddedBenchmark;
import dev.isogrid.bench.hitratio.HitRatioBenchmark;
import dev.isogrid.bench.local.LocalBenchmark;
import dev.isogrid.bench.memory.MemoryBenchmark;
import dev.isogrid.bench.neighbours.NeighboursBenchmark;
import dev.isogrid.bench.path.PathBenchmark;
import dev.isogrid.bench.persistence.PersistenceBenchmark;
import dev.isogrid.bench.report.Report;
import dev.isogrid.bench.run.Arguments;
import dev.isogrid.bench.run.Benchmark;
import dev.isogrid.bench.run.Checkout;
import dev.isogrid.bench.run.Machine;
import dev.isogrid.bench.run.Option;
import dev.isogrid.bench.server.ServerBenchmark;
import dev.isogrid.bench.start.StartBenchmark;
import dev.isogrid.bench.strangers.StrangersBenchmark;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs one benchmark: prints its tables and writes them to a file. */
public final class Main {
  private static final int EXIT_FAILURE = 1;
  private static final int EXIT_USAGE = 2;

  private static final System.Logger log = System.getLogger(Main.class.getName());

  private static final Option RESULTS =
      Option.of("--results", "bench/results", "The folder of the report.");

  private static final List<Benchmark> ALL =
      List.of(
          new LocalBenchmark(),
          new EmbeddedBenchmark(),
          new ServerBenchmark(),
          new ClientBenchmark(),
          new ClusterBenchmark(),
          new StreamBenchmark(),
          new MapReduceBenchmark(),
          new StartBenchmark(),
          new NeighboursBenchmark(),
          new PathBenchmark(),
          new MemoryBenchmark(),
          new HitRatioBenchmark(),
          new StrangersBenchmark(),
          new PersistenceBenchmark(),
          new CodecBenchmark());

  private Main() {}

  /** See {@code ./isogrid bench --help}. */
  public static void main(String[] words) {
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(Main::killChildren));
    if (words.length == 0 || words[0].equals("--help")) {
      ALL.forEach(
          benchmark -> System.out.printf("%-10s%s%n", benchmark.name(), benchmark.summary()));
      System.out.println("`./isogrid bench NAME --help` lists the options of one.");
      return;
    }
    // Clients of peers may leave threads behind that keep the JVM alive.
    System.exit(exitCode(Arrays.asList(words)));
  }

  private static int exitCode(List<String> words) {
    try {
      run(words);
      return 0;
    } catch (InvalidRequestException failure) {
      System.err.println("isogrid bench: " + failure.getMessage());
      return EXIT_USAGE;
    } catch (IOException | InterruptedException | RuntimeException failure) {
      log.log(Level.ERROR, "the benchmark failed", failure);
      return EXIT_FAILURE;
    }
  }

  /** However the benchmark ends, also by a signal, the processes that it started end with it. */
  private static void killChildren() {
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
  }

  private static void run(List<String> words) throws IOException, InterruptedException {
    Benchmark benchmark =
        ALL.stream()
            .filter(candidate -> candidate.name().equals(words.getFirst()))
            .findFirst()
            .orElseThrow(() ->
                new InvalidRequestException(
                    "no such benchmark: " + words.getFirst() + "; --help lists them"));
    List<Option> options = new ArrayList<>(benchmark.options());
    options.add(RESULTS);
    List<String> rest = words.subList(1, words.size());
    if (rest.contains("--help")) {
      help(benchmark, options);
      return;
    }
    Arguments arguments = Arguments.parse(options, rest);
    Checkout checkout = Checkout.find();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("command", "`./isogrid bench " + String.join(" ", words) + "`");
    facts.putAll(Machine.facts(checkout));
    facts.put("quick", arguments.isQuick() ? "yes: a rough result" : "no");
    arguments.values().forEach((name, value) -> facts.put("`" + name + "`", value));
    Report report = benchmark.run(arguments, checkout);
    System.out.println(report.body());
    Path folder = checkout.root().resolve(arguments.text(RESULTS.name()));
    System.out.println("written to " + report.write(folder, benchmark.name(), facts));
  }

  private static void help(Benchmark benchmark, List<Option> options) {
    System.out.println("Measures " + benchmark.summary() + ".");
    for (Option option : options) {
      System.out.printf(
          "  %-21s%s Default %s%s%n",
          option.name(),
          option.description(),
          option.usual(),
          option.quick().equals(option.usual()) ? "." : "; quick " + option.quick() + ".");
    }
    System.out.printf("  %-21s%s%n", "--quick", "Rough results soon.");
  }
}
