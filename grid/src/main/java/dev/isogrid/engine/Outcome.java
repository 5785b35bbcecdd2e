package dev.isogrid.engine;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of an operation.
 *
 * @param kind how it ended
 * @param result the answer if it is done; else the reason in words, or null if there was no answer
 *     in time
 */
public record Outcome(Kind kind, @Nullable Object result) {
  /** How operations end. */
  public enum Kind {
    /** It was done, once. */
    DONE,
    /** It was not done and will not be. */
    FAILED,
    /** It may have been done, or may be done yet. */
    INDETERMINATE
  }
}
