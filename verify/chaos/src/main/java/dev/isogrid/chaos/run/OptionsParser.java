package dev.isogrid.chaos.run;

import dev.isogrid.chaos.fault.FaultKind;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Reads the command line of a run. The options are declared in code: no reflection. */
final class OptionsParser {
  private static final String NAME = "isogrid chaos";
  private static final String HOTROD = "hotrod";
  private static final Set<String> CLIENTS = Set.of(HOTROD, Options.ISOGRID, Options.EMBEDDED);
  private static final Set<String> TARGETS = Set.of("isogrid", "infinispan");
  private static final int HELP_WIDTH = 100;
  private static final int MINUTES_MAX = 7 * 24 * 60;
  private static final int NODES_USUAL = 3;
  private static final int NODES_MAX = 5;
  private static final int PROCESSORS_MAX = 1024;
  private static final int THREADS_USUAL = 8;
  private static final int THREADS_MAX = 64;

  /** The most retries; by default the official client repeats an operation three times. */
  private static final int RETRIES_MAX = 10;

  private static final int RATE_USUAL = 1200;
  private static final int RATE_MAX = 1_000_000;

  private final long usualSeed;
  private final Path checkout;

  /**
   * Makes a parser.
   *
   * @param usualSeed the seed if none is given
   * @param checkout the folder of relative defaults
   */
  OptionsParser(long usualSeed, Path checkout) {
    this.usualSeed = usualSeed;
    this.checkout = checkout;
  }

  /** A mistake on the command line. */
  static final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UsageException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  private static CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name(NAME);
    spec.usageMessage()
        .description(
            "Starts a cluster of server processes, lets clients work and nodes fail, and checks"
                + " what the clients saw: that operations on each key are linearizable, that no"
                + " acknowledged write is lost, that each token is taken once. Ends with 0, with 1"
                + " if a promise was broken, or 2.")
        .sortOptions(false)
        .autoWidth(false)
        .width(HELP_WIDTH);
    option(spec, "--minutes", "N", "How long nodes fail, at least; 0.5 is allowed. Default 1.");
    option(
        spec,
        "--nodes",
        "N",
        "Nodes at first: 3 to 5, or 1 without a cluster, only paused. Default "
            + NODES_USUAL
            + ".");
    option(spec, "--seed", "N", "Seed of the faults and the load. Default a random one.");
    option(spec, "--processors", "N", "Processors of each node. Default all.");
    option(
        spec,
        "--faults",
        "WORD,...",
        "Some of kill, pause, cut, oneway, restart, join, and majority, two, with which each node"
            + " has copies of all entries; or none. Default all but those two.");
    option(
        spec,
        "--target",
        "NAME",
        "The product: isogrid, or infinispan for a comparison. Default isogrid.");
    option(
        spec,
        "--client",
        "NAME",
        "hotrod, isogrid for isogrid-client with its usual retries, or embedded for nodes without"
            + " entries. Default hotrod.");
    option(
        spec,
        "--retries",
        "N",
        "Repetitions of an operation by a hotrod client itself; it can't tell that it repeats, so"
            + " broken promises are expected above 0. Default 0.");
    option(spec, "--threads", "N", "Clients on the same keys. Default " + THREADS_USUAL + ".");
    option(
        spec,
        "--rate",
        "N",
        "Operations per second of those clients, at most. Default " + RATE_USUAL + ".");
    option(spec, "--folder", "DIR", "For logs and the history. Default target/chaos/SEED.");
    option(spec, "--check", "FILE", "Only checks a history that an earlier run wrote.");
    return spec.addOption(
        OptionSpec.builder("--help", "-h").usageHelp(true).description("Shows this.").build());
  }

  private static void option(CommandSpec spec, String name, String label, String description) {
    spec.addOption(
        OptionSpec.builder(name)
            .paramLabel(label)
            .type(String.class)
            .description(description)
            .build());
  }

  /**
   * Reads a command line.
   *
   * @param out receives the help
   * @return null if only help was requested
   * @throws UsageException if an option or value is not allowed
   */
  @Nullable Options parse(List<String> words, PrintStream out) {
    CommandLine commandLine = new CommandLine(spec());
    commandLine.setExpandAtFiles(false);
    ParseResult parsed;
    try {
      parsed = commandLine.parseArgs(words.toArray(String[]::new));
    } catch (ParameterException wrong) {
      throw new UsageException("%s; see %s --help".formatted(wrong.getMessage(), NAME), wrong);
    }
    if (parsed.isUsageHelpRequested()) {
      commandLine.usage(out, CommandLine.Help.Ansi.OFF);
      return null;
    }
    return options(parsed);
  }

  private Options options(ParseResult given) {
    long seed = whole(given, "--seed", usualSeed, 0, Long.MAX_VALUE);
    String target = oneOf(given, "--target", "isogrid", TARGETS);
    String client = oneOf(given, "--client", HOTROD, CLIENTS);
    String history = text(given, "--check");
    String folder = given.matchedOptionValue("--folder", "target/chaos/" + seed);
    return new Options(
        seconds(given),
        nodes(given),
        seed,
        (int) whole(given, "--processors", 0, 1, PROCESSORS_MAX),
        faults(text(given, "--faults")),
        target,
        client,
        retries(given, client),
        (int) whole(given, "--threads", THREADS_USUAL, 1, THREADS_MAX),
        (int) whole(given, "--rate", RATE_USUAL, 1, RATE_MAX),
        checkout.resolve(folder),
        history == null ? null : Path.of(history));
  }

  private static @Nullable String text(ParseResult given, String name) {
    return given.hasMatchedOption(name) ? given.matchedOptionValue(name, "") : null;
  }

  private static int retries(ParseResult given, String client) {
    int retries = (int) whole(given, "--retries", 0, 0, RETRIES_MAX);
    if (retries > 0 && !client.equals(HOTROD)) {
      throw new UsageException("--retries is for --client hotrod only; leave it out", null);
    }
    return retries;
  }

  private static String oneOf(ParseResult given, String name, String usual, Set<String> allowed) {
    String word = given.matchedOptionValue(name, usual);
    if (!allowed.contains(word)) {
      throw new UsageException(
          "%s %s is not allowed; there are %s".formatted(name, word, new TreeSet<>(allowed)), null);
    }
    return word;
  }

  private static int seconds(ParseResult given) {
    String word = given.matchedOptionValue("--minutes", "1");
    String wrong =
        "--minutes %s is not allowed; give a number up to %d".formatted(word, MINUTES_MAX);
    try {
      double minutes = Double.parseDouble(word);
      if (minutes > 0 && minutes <= MINUTES_MAX) {
        return Math.max(1, (int) Math.round(minutes * Options.SECONDS_PER_MINUTE));
      }
    } catch (NumberFormatException failure) {
      throw new UsageException(wrong, failure);
    }
    throw new UsageException(wrong, null);
  }

  private static int nodes(ParseResult given) {
    int nodes = (int) whole(given, "--nodes", NODES_USUAL, 1, NODES_MAX);
    if (nodes == 2) {
      // With two nodes, one cannot continue without the other: there is no majority.
      throw new UsageException("--nodes 2 is not allowed; give 3 or more, or 1", null);
    }
    return nodes;
  }

  private static long whole(ParseResult given, String name, long usual, long min, long max) {
    String word = text(given, name);
    if (word == null) {
      return usual;
    }
    String wrong =
        "%s %s is not allowed; give a whole number from %d to %d".formatted(name, word, min, max);
    try {
      long number = Long.parseLong(word);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException failure) {
      throw new UsageException(wrong, failure);
    }
    throw new UsageException(wrong, null);
  }

  private static List<FaultKind> faults(@Nullable String words) {
    if (words == null) {
      return Arrays.stream(FaultKind.values())
          .filter(kind -> !kind.needsCopiesEverywhere())
          .toList();
    }
    List<FaultKind> faults = new ArrayList<>();
    for (String word : words.equals("none") ? new String[0] : words.split(",", -1)) {
      faults.add(
          Arrays.stream(FaultKind.values())
              .filter(kind -> kind.id().equals(word))
              .findFirst()
              .orElseThrow(() ->
                  new UsageException(
                      "--faults %s is not allowed; there are %s"
                          .formatted(
                              word, Arrays.stream(FaultKind.values()).map(FaultKind::id).toList()),
                      null)));
    }
    return faults;
  }
}
