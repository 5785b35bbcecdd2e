package dev.isogrid.chaos.run;

import dev.isogrid.chaos.fault.FaultKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The options of a run.
 *
 * @param seconds the time with faults
 * @param nodes the number of nodes at the start
 * @param seed of the faults and the load
 * @param processors the number of processors per node, 0 for all
 * @param faults the kinds of faults; none for a run without faults
 * @param target the product: isogrid or infinispan
 * @param client the kind of access: hotrod, isogrid or embedded
 * @param retries the number of repetitions of an operation by a Hot Rod client
 * @param threads the number of clients that read and write the same keys
 * @param rate the most operations per second of all those clients together
 * @param folder the folder of the logs and the history
 * @param history a file to check instead of a run, or null
 */
public record Options(
    int seconds,
    int nodes,
    long seed,
    int processors,
    List<FaultKind> faults,
    String target,
    String client,
    int retries,
    int threads,
    int rate,
    Path folder,
    @Nullable Path history) {
  static final String HELP =
      """
      Usage: isogrid chaos [OPTIONS]

      Starts a cluster of server processes, lets clients work and nodes fail, and checks what the
      clients saw: that operations on each key are linearizable, that no acknowledged write is lost,
      that each token is taken once. Ends with 0, with 1 if a promise was broken, or 2.

        --minutes N          how long nodes fail, at least twice (1; 0.5 is allowed)
        --nodes N            nodes at first: 3 to 5, or 1 without a cluster, only paused (3)
        --seed S             of the faults and the load (made of the time)
        --processors N       processors of each node (all)
        --faults LIST        of kill, pause, cut, oneway, restart, join, and majority, two, with
                             which each node has copies of all entries; or none (all but those)
        --target NAME        isogrid, or infinispan for a comparison (isogrid)
        --client NAME        hotrod, isogrid for isogrid-client with its usual retries, or
                             embedded for nodes without entries (hotrod)
        --retries N          repetitions of an operation by a hotrod client itself; it can't tell
                             that it repeats, so broken promises are expected above 0 (0)
        --threads N          clients on the same keys (8)
        --rate N             operations a second of those clients, at most (1200)
        --folder DIR         for logs and the history (target/chaos/SEED)
        --check FILE         only check a history that an earlier run wrote
      """;

  private static final Set<String> NAMES =
      Set.of(
          "--minutes",
          "--nodes",
          "--seed",
          "--processors",
          "--faults",
          "--target",
          "--client",
          "--retries",
          "--threads",
          "--rate",
          "--folder",
          "--check");

  /** The access by nodes without entries. */
  static final String EMBEDDED = "embedded";

  /** The access by this product's own client. */
  static final String ISOGRID = "isogrid";

  private static final String HOTROD = "hotrod";
  private static final Set<String> CLIENTS = Set.of(HOTROD, ISOGRID, EMBEDDED);
  private static final Set<String> TARGETS = Set.of("isogrid", "infinispan");
  private static final int SECONDS_PER_MINUTE = 60;
  private static final int MINUTES_MAX = 7 * 24 * 60;
  private static final int OWNERS_USUAL = 2;
  private static final int NODES_USUAL = 3;
  private static final int NODES_MAX = 5;
  private static final int PROCESSORS_MAX = 1024;
  private static final int THREADS_MAX = 64;

  /** The most retries; by default the official client repeats an operation three times. */
  private static final int RETRIES_MAX = 10;

  private static final int RATE_MAX = 1_000_000;

  /** Copies the list. */
  public Options {
    faults = List.copyOf(faults);
  }

  /** A mistake on the command line. */
  static final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UsageException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Reads a command line.
   *
   * @param usualSeed the seed if none is given
   * @param checkout the folder of relative defaults
   * @throws UsageException if an option or value is not allowed
   */
  static Options parse(List<String> words, long usualSeed, Path checkout) {
    Map<String, String> given = new LinkedHashMap<>();
    for (int i = 0; i < words.size(); i += 2) {
      String name = words.get(i);
      if (!NAMES.contains(name)) {
        throw new UsageException("unknown option: " + name + "; --help lists them", null);
      }
      if (i + 1 == words.size()) {
        throw new UsageException(name + " needs a value", null);
      }
      if (given.put(name, words.get(i + 1)) != null) {
        throw new UsageException(name + " is given twice", null);
      }
    }
    long seed = whole(given, "--seed", usualSeed, 0, Long.MAX_VALUE);
    String target = oneOf(given, "--target", "isogrid", TARGETS);
    String client = oneOf(given, "--client", HOTROD, CLIENTS);
    String folder = given.getOrDefault("--folder", "target/chaos/" + seed);
    String history = given.get("--check");
    return new Options(
        seconds(given),
        nodes(given),
        seed,
        (int) whole(given, "--processors", 0, 1, PROCESSORS_MAX),
        faults(given.get("--faults")),
        target,
        client,
        retries(given, client),
        (int) whole(given, "--threads", 8, 1, THREADS_MAX),
        (int) whole(given, "--rate", 1200, 1, RATE_MAX),
        checkout.resolve(folder),
        history == null ? null : Path.of(history));
  }

  private static int retries(Map<String, String> given, String client) {
    int retries = (int) whole(given, "--retries", 0, 0, RETRIES_MAX);
    if (retries > 0 && !client.equals(HOTROD)) {
      throw new UsageException("--retries is for --client hotrod only", null);
    }
    return retries;
  }

  private static String oneOf(
      Map<String, String> given, String name, String usual, Set<String> allowed) {
    String word = given.getOrDefault(name, usual);
    if (!allowed.contains(word)) {
      throw new UsageException(
          "%s %s is not allowed; there are %s".formatted(name, word, new TreeSet<>(allowed)), null);
    }
    return word;
  }

  private static int seconds(Map<String, String> given) {
    String word = given.getOrDefault("--minutes", "1");
    try {
      double minutes = Double.parseDouble(word);
      if (minutes > 0 && minutes <= MINUTES_MAX) {
        return Math.max(1, (int) Math.round(minutes * SECONDS_PER_MINUTE));
      }
    } catch (NumberFormatException failure) {
      throw new UsageException("--minutes %s is no number".formatted(word), failure);
    }
    throw new UsageException(
        "--minutes %s is not allowed; give a number up to %d".formatted(word, MINUTES_MAX), null);
  }

  private static int nodes(Map<String, String> given) {
    int nodes = (int) whole(given, "--nodes", NODES_USUAL, 1, NODES_MAX);
    if (nodes == 2) {
      // With two nodes, one cannot continue without the other: there is no majority.
      throw new UsageException("--nodes 2 is not allowed; give 3 or more, or 1", null);
    }
    return nodes;
  }

  private static long whole(
      Map<String, String> given, String name, long usual, long min, long max) {
    String word = given.get(name);
    if (word == null) {
      return usual;
    }
    try {
      long number = Long.parseLong(word);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException failure) {
      throw new UsageException("%s %s is no whole number".formatted(name, word), failure);
    }
    throw new UsageException(
        "%s %s is not allowed; give a whole number from %d to %d".formatted(name, word, min, max),
        null);
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

  /** The copies of each entry, so that no fault loses one. */
  int owners() {
    return faults.stream().anyMatch(FaultKind::needsCopiesEverywhere) ? nodes : OWNERS_USUAL;
  }

  /** The command that repeats the run; only the timing of the processes can differ. */
  String command() {
    List<String> words = new ArrayList<>(List.of("./isogrid", "chaos"));
    words.addAll(List.of("--minutes", minutes(), "--nodes", String.valueOf(nodes)));
    words.addAll(List.of("--seed", String.valueOf(seed), "--target", target, "--client", client));
    words.addAll(List.of("--faults", faults.isEmpty() ? "none" : ids()));
    words.addAll(List.of("--threads", String.valueOf(threads), "--rate", String.valueOf(rate)));
    if (retries > 0) {
      words.addAll(List.of("--retries", String.valueOf(retries)));
    }
    if (processors > 0) {
      words.addAll(List.of("--processors", String.valueOf(processors)));
    }
    return String.join(" ", words);
  }

  private String minutes() {
    return seconds % SECONDS_PER_MINUTE == 0
        ? String.valueOf(seconds / SECONDS_PER_MINUTE)
        : String.valueOf((double) seconds / SECONDS_PER_MINUTE);
  }

  private String ids() {
    return String.join(",", faults.stream().map(FaultKind::id).toList());
  }

  /** The history to be checked; call only if there is one. */
  Path requireHistory() {
    return Objects.requireNonNull(history);
  }
}
