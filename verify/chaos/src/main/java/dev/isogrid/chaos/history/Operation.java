package dev.isogrid.chaos.history;

import java.util.Locale;

/**
 * An operation of a client on a key, with its outcome. Times are nanoseconds from one origin.
 * Immutable.
 *
 * @param client its index, from 0
 * @param kind its kind
 * @param key the key
 * @param argument the value to write, {@link #NONE} if there is none. No two operations on a key
 *     write the same value
 * @param expected the value of its condition, {@link #NONE} if it has none
 * @param calledNanos the time of the call
 * @param endedNanos the time at which the client knew the outcome or gave up
 * @param outcome its outcome
 * @param result the result by its {@link Kind} if the outcome is {@link Outcome#DONE}, else {@link
 *     #UNSEEN}
 * @param version the version of the value read, 0 if there was none
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

  /** The outcome of an operation. */
  public enum Outcome {
    /** It was done and answered. */
    DONE,
    /** It was not done, and never will be. */
    FAILED,
    /** Unknown: it may take effect at any time after its call, or never. */
    UNKNOWN
  }

  /** Checks the preconditions of this package. */
  public Operation {
    if (endedNanos < calledNanos) {
      throw new IllegalArgumentException(
          "ended before it was called: key=%s, called=%d, ended=%d"
              .formatted(key, calledNanos, endedNanos));
    }
  }

  /** A line for human readers. */
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
