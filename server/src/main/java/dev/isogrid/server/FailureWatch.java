package dev.isogrid.server;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Stops a server whose node failed. Looked at by one thread at a time. */
final class FailureWatch {
  /** How often the node is looked at, in milliseconds; it refuses operations meanwhile. */
  static final long PERIOD_MILLIS = 200;

  private final Supplier<@Nullable Throwable> failure;
  private final Runnable stop;
  private boolean isStopping;

  /**
   * Begins.
   *
   * @param failure tells why the node failed, or null if it did not
   * @param stop begins to stop the server, and does not wait for it
   */
  FailureWatch(Supplier<@Nullable Throwable> failure, Runnable stop) {
    this.failure = failure;
    this.stop = stop;
  }

  /** Looks at the node. */
  void check() {
    if (!isStopping && failure.get() != null) {
      stop.run();
      isStopping = true; // if that failed, it is tried again
    }
  }
}
