package dev.isogrid.chaos.load;

import dev.isogrid.chaos.history.Operation;
import org.jspecify.annotations.Nullable;

/**
 * What an operation answered.
 *
 * @param result as its kind says
 * @param version the version that came with a value, 0 if none did
 */
record Seen(long result, long version) {
  /** Nothing. */
  static final Seen NOTHING = new Seen(Operation.UNSEEN, 0);

  /**
   * A value without its version.
   *
   * @throws Values.CorruptValue if nobody wrote it
   */
  static Seen value(byte @Nullable [] found) {
    return new Seen(Values.number(found), 0);
  }

  /** Whether a condition held. */
  static Seen flag(boolean holds) {
    return new Seen(holds ? 1 : 0, 0);
  }
}
