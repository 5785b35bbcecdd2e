package dev.isogrid.chaos.run;

import dev.isogrid.chaos.fault.FaultKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
  /** The access by nodes without entries. */
  static final String EMBEDDED = "embedded";

  /** The access by this product's own client. */
  static final String ISOGRID = "isogrid";

  /** The seconds in a unit of {@code --minutes}. */
  static final int SECONDS_PER_MINUTE = 60;

  private static final int OWNERS_USUAL = 2;

  /** Copies the list. */
  public Options {
    faults = List.copyOf(faults);
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
