package dev.isogrid.engine;

/**
 * The place of an operation in a trace, in the form of W3C's trace context. Immutable.
 *
 * @param parent the field {@code traceparent}: the trace, the span that the operation is part of,
 *     and flags; 1 to {@link #PARENT_LENGTH_MAX} characters
 * @param state the field {@code tracestate}, empty if there is none; at most {@link
 *     #STATE_LENGTH_MAX} characters
 */
public record CallTrace(String parent, String state) {
  /** The longest parent: version 0 has 55 characters, and later ones may have more. */
  public static final int PARENT_LENGTH_MAX = 128;

  /** The longest state: as long as W3C demands that it is passed on. */
  public static final int STATE_LENGTH_MAX = 512;

  /** Checks the lengths. */
  public CallTrace {
    if (parent.isEmpty()
        || parent.length() > PARENT_LENGTH_MAX
        || state.length() > STATE_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "invalid trace: parentLength=%d, stateLength=%d; at most %d and %d"
              .formatted(parent.length(), state.length(), PARENT_LENGTH_MAX, STATE_LENGTH_MAX));
    }
  }
}
