package dev.isogrid.chaos.load;

import dev.isogrid.chaos.history.Operation;
import org.jspecify.annotations.Nullable;

/**
 * The answer of an operation.
 *
 * @param result the result by its kind
 * @param version the version of the value, 0 without one
 */
record Seen(long result, long version) {
  /** No result. */
  static final Seen NOTHING = new Seen(Operation.UNSEEN, 0);

  /**
   * A value without its version.
   *
   * @throws Values.CorruptValue if the value was never written
   */
  static Seen value(byte @Nullable [] found) {
    return new Seen(Values.number(found), 0);
  }

  /** Whether a condition held. */
  static Seen flag(boolean holds) {
    return new Seen(holds ? 1 : 0, 0);
  }
}
