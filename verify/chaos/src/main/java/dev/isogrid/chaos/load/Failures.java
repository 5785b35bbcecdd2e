package dev.isogrid.chaos.load;

import dev.isogrid.chaos.history.Operation.Outcome;
import java.net.ConnectException;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/** Counts the failures of operations by their kind. Thread-safe. */
public final class Failures {
  /** The most kinds: more is a mistake in their names. */
  private static final int KINDS_MAX = 200;

  private static final int TEXT_MAX = 90;
  private static final int CAUSES_MAX = 20;

  private final boolean mayBeRepeats;
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
  private final Queue<String> corrupt = new ConcurrentLinkedQueue<>();

  /**
   * Counts none yet.
   *
   * @param mayBeRepeats whether a failure may be that of a repetition, see {@link Access#repeats}
   */
  Failures(boolean mayBeRepeats) {
    this.mayBeRepeats = mayBeRepeats;
  }

  /** Counts a failure, and returns the outcome of a write that failed like this. */
  Outcome add(Throwable failure) {
    Throwable root = failure;
    for (int i = 0; i < CAUSES_MAX && root.getCause() != null; i++) {
      root = root.getCause();
    }
    if (root instanceof Values.CorruptValue) {
      corrupt.add(String.valueOf(root.getMessage()));
    }
    String kind = kind(root);
    String known = counts.size() < KINDS_MAX || counts.containsKey(kind) ? kind : "others";
    counts.computeIfAbsent(known, _ -> new LongAdder()).increment();
    // Without a connection, no bytes were sent.
    return root instanceof ConnectException && !mayBeRepeats ? Outcome.FAILED : Outcome.UNKNOWN;
  }

  private static String kind(Throwable root) {
    String message =
        String.valueOf(root.getMessage())
            .replaceAll("\\{.*\\}", "")
            .replaceAll("0x[0-9a-fA-F]+|\\d+", "N")
            .replaceAll("\\s+", " ");
    String text = root.getClass().getSimpleName() + ": " + message;
    return text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX) + " ...";
  }

  /** The number of failures of each kind. */
  public Map<String, Long> counts() {
    Map<String, Long> all = new TreeMap<>();
    counts.forEach((kind, count) -> all.put(kind, count.sum()));
    return all;
  }

  /** Values that were read but never written. */
  public Queue<String> corrupt() {
    return corrupt;
  }
}
