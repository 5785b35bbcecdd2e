package dev.isogrid.engine;

import org.jspecify.annotations.Nullable;

/**
 * A node did not do what it was asked for, or did not say so. Who called turns it into what the
 * user is told.
 */
public final class NodeCallException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The reason of the failure. */
  public enum Reason {
    /** The node threw an exception, which is the cause. */
    FAILED,
    /** The node has too much to do; it did not begin. */
    BUSY,
    /** The node is gone, or did not answer in time; it may have done it. */
    NO_ANSWER
  }

  private final Reason reason;

  NodeCallException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** The reason of the failure. */
  public Reason reason() {
    return reason;
  }
}
