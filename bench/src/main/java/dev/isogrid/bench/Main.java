package dev.isogrid.bench;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.bench.all.AllBenchmark;
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
import dev.isogrid.bench.run.CommandForm;
import dev.isogrid.bench.run.Machine;
import dev.isogrid.bench.run.Option;
import dev.isogrid.bench.server.ServerBenchmark;
import dev.isogrid.bench.start.StartBenchmark;
import dev.isogrid.bench.strangers.StrangersBenchmark;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Runs one benchmark: prints its tables and writes them to a file. */
public final class Main {
  private static final int EXIT_FAILURE = 1;
  private static final int EXIT_USAGE = 2;
  private static final String NAME = "isogrid bench";

  private static final System.Logger log = System.getLogger(Main.class.getName());

  private static final Option RESULTS =
      Option.of("--results", Option.Kind.FOLDER, "bench/results", "The folder of the report.");

  private final List<Benchmark> benchmarks;
  private final PrintStream out;
  private final PrintStream err;

  /** Makes a command line that prints to {@code out} and {@code err}, which are borrowed. */
  Main(List<Benchmark> benchmarks, PrintStream out, PrintStream err) {
    this.benchmarks = List.copyOf(benchmarks);
    this.out = out;
    this.err = err;
  }

  /** See {@code ./isogrid bench --help}. */
  public static void main(String[] words) {
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(Main::killChildren));
    // Clients of peers may leave threads behind that keep the JVM alive.
    System.exit(new Main(all(), System.out, System.err).run(words));
  }

  static List<Benchmark> all() {
    return List.of(
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
        new CodecBenchmark(),
        new AllBenchmark());
  }

  /** However the benchmark ends, also by a signal, the processes that it started end with it. */
  private static void killChildren() {
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
  }

  /** Runs a command line; returns the exit code. */
  int run(String... words) {
    try {
      return runOrHelp(words) ? 0 : EXIT_FAILURE;
    } catch (ParameterException wrong) {
      String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
      err.println("%s: %s; see %s --help".formatted(NAME, wrong.getMessage(), command));
      return EXIT_USAGE;
    } catch (InvalidRequestException wrong) {
      err.println(NAME + ": " + wrong.getMessage());
      return EXIT_USAGE;
    } catch (IOException | InterruptedException | RuntimeException failure) {
      log.log(Level.ERROR, "the benchmark failed", failure);
      return EXIT_FAILURE;
    }
  }

  /** Returns false if the report has parts without figures. */
  private boolean runOrHelp(String... words) throws IOException, InterruptedException {
    Choice choice = choose(words);
    if (choice == null) {
      return true;
    }
    Arguments arguments = choice.arguments();
    if (choice.benchmark() instanceof AllBenchmark all && arguments.has(AllBenchmark.LIST)) {
      out.print(all.list(arguments));
      return true;
    }
    Checkout checkout = Checkout.find();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("command", "`./isogrid bench " + String.join(" ", words) + "`");
    facts.putAll(Machine.facts(checkout));
    facts.put("quick", arguments.isQuick() ? "yes: a rough result" : "no");
    arguments.values().forEach((name, value) -> facts.put("`" + name + "`", value));
    Report report = choice.benchmark().run(arguments, checkout);
    out.println(report.body());
    Path folder = checkout.root().resolve(arguments.text(RESULTS.name()));
    out.println("written to " + report.write(folder, choice.benchmark().name(), facts));
    return !report.hasFailed();
  }

  /** A benchmark with the values of its options. */
  record Choice(Benchmark benchmark, Arguments arguments) {}

  /**
   * Reads a command line.
   *
   * @return null if only help was requested, which is printed
   * @throws ParameterException if it names unknown options, or one twice or without its value
   * @throws InvalidRequestException if it names no benchmark, or a value has a wrong form
   */
  @Nullable Choice choose(String... words) {
    CommandSpec root =
        CommandForm.withHelp(NAME, "Runs a benchmark, and writes its report into a file.");
    root.usageMessage().footer("isogrid bench NAME --help lists the options of one.");
    Map<String, Benchmark> known = new LinkedHashMap<>();
    for (Benchmark benchmark : benchmarks) {
      known.put(benchmark.name(), benchmark);
      root.addSubcommand(benchmark.name(), form(benchmark).spec());
    }
    if (words.length > 0 && !words[0].startsWith("-") && !known.containsKey(words[0])) {
      throw new InvalidRequestException(
          "no such benchmark: %s; isogrid bench --help lists them".formatted(words[0]));
    }
    CommandLine commandLine = new CommandLine(root);
    commandLine.setExpandAtFiles(false);
    ParseResult parsed = commandLine.parseArgs(words);
    ParseResult chosen = parsed.hasSubcommand() ? parsed.subcommand() : parsed;
    if (chosen.isUsageHelpRequested()) {
      chosen.commandSpec().commandLine().usage(out, CommandLine.Help.Ansi.OFF);
      return null;
    }
    Benchmark benchmark = known.get(chosen.commandSpec().name());
    if (benchmark == null) {
      throw new InvalidRequestException("which benchmark? isogrid bench --help lists them");
    }
    return new Choice(benchmark, form(benchmark).read(chosen));
  }

  private static CommandForm form(Benchmark benchmark) {
    List<Option> options = new ArrayList<>(benchmark.options());
    options.add(RESULTS);
    return new CommandForm(
        benchmark.name(), "Measures " + benchmark.summary() + ".", options, benchmark.flags());
  }
}
