package dev.isogrid.engine;

import org.jspecify.annotations.Nullable;

/**
 * Connects the operations of a node with traces. It is an interface, since this library knows no
 * library for traces. Thread-safe.
 */
public interface CallTraces {
  /**
   * The part of an operation that was executed at its primary, for another node.
   *
   * @param trace the operation's place in its trace, as the other node sent it
   * @param operation its name, such as {@code put}
   * @param cache the name of the cache; empty if it is not known any more
   * @param node the name of the primary's node
   * @param tookNanos the time from the receipt to the answer, which is now
   * @param error why it was not executed, or null if it was
   */
  record Part(
      CallTrace trace,
      String operation,
      String cache,
      String node,
      long tookNanos,
      @Nullable String error) {}

  /**
   * Returns the place of the calling thread's operations in a trace, or null if they are in none
   * that is recorded. Called for each operation that may go to another node, so it must be fast.
   */
  @Nullable CallTrace current();

  /** Reports a part of an operation of another node. Must be short and must not block. */
  void report(Part part);
}
