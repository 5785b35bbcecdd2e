package dev.isogrid.engine;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Connects the operations of a node with traces. It is an interface, since this library knows no
 * library for traces. Thread-safe.
 */
public interface CallTraces {
  /**
   * The part of an operation, a stream or a map/reduce that a node executed for another one, or of
   * a map/reduce for itself.
   *
   * @param trace the operation's place in its trace, as the other node sent it
   * @param operation its name, such as {@code put} or {@code stream}
   * @param cache the name of the cache; empty if it is not known any more
   * @param node the name of the node that executed it, such as the primary's
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

  /**
   * Returns the same work, with the operations of the thread that executes it as parts of a trace
   * meanwhile.
   */
  default <T extends @Nullable Object> Callable<T> within(CallTrace trace, Callable<T> work) {
    return work;
  }

  /** Reports a part that this node executed. Must be short and must not block. */
  void report(Part part);
}
