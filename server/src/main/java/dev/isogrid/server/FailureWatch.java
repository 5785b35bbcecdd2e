package dev.isogrid.server;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Stops a server whose node failed. For one thread at a time. */
final class FailureWatch {
  /** The interval of checks, in milliseconds; a failed node refuses operations meanwhile. */
  static final long PERIOD_MILLIS = 200;

  private final Supplier<@Nullable Throwable> failure;
  private final Runnable stop;
  private boolean isStopping;

  /**
   * Begins.
   *
   * @param failure supplies the failure of the node, or null
   * @param stop begins to stop the server without waiting for it
   */
  FailureWatch(Supplier<@Nullable Throwable> failure, Runnable stop) {
    this.failure = failure;
    this.stop = stop;
  }

  /** Checks the node. */
  void check() {
    if (!isStopping && failure.get() != null) {
      stop.run();
      isStopping = true; // if that failed, it is tried again
    }
  }
}
