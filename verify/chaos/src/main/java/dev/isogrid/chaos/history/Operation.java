package dev.isogrid.chaos.history;

import java.util.Locale;

/**
 * An operation of a client on a key, and how it ended. Times are nanoseconds from one origin.
 * Immutable.
 *
 * @param client who did it, from 0
 * @param kind what it does
 * @param key the key
 * @param argument the value that it would write, {@link #NONE} if it writes none. No two operations
 *     on a key write the same value
 * @param expected the value that its condition asks for, {@link #NONE} if it has none
 * @param calledNanos when it began
 * @param endedNanos when the client knew the outcome, or gave up
 * @param outcome how it ended
 * @param result as its {@link Kind} says if the outcome is {@link Outcome#DONE}, else {@link
 *     #UNSEEN}
 * @param version the version that came with the value read, 0 if none did
 */
public record Operation(
    int client,
    Kind kind,
    String key,
    long argument,
    long expected,
    long calledNanos,
    long endedNanos,
    Outcome outcome,
    long result,
    long version) {
  /** No entry. */
  public static final long NONE = 0;

  /** A result that the client did not see. */
  public static final long UNSEEN = -1;

  private static final double NANOS_PER_MILLI = 1e6;

  /** How an operation ended. */
  public enum Outcome {
    /** It was done, and answered. */
    DONE,
    /** It was surely not done, and never will be. */
    FAILED,
    /** Nobody knows: it may take effect at any time after its call, or never. */
    UNKNOWN
  }

  /** Checks what the parts of this package rely on. */
  public Operation {
    if (endedNanos < calledNanos) {
      throw new IllegalArgumentException(
          "ended before it was called: key=%s, called=%d, ended=%d"
              .formatted(key, calledNanos, endedNanos));
    }
  }

  /** One line for people. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%12.3f .. %12.3f ms  client %-2d  %-13s %s",
            calledNanos / NANOS_PER_MILLI,
            endedNanos / NANOS_PER_MILLI,
            client,
            kind,
            key));
    if (expected != NONE) {
      text.append(" if ").append(expected);
    }
    if (argument != NONE) {
      text.append(" := ").append(argument);
    }
    text.append(" -> ");
    if (outcome != Outcome.DONE) {
      text.append(outcome);
    } else if (result == UNSEEN) {
      text.append("done");
    } else if (result == NONE && kind != Kind.REPLACE_IF && kind != Kind.REMOVE_IF) {
      text.append("none");
    } else {
      text.append(result);
    }
    return version == 0 ? text.toString() : text + " (version " + version + ")";
  }
}
