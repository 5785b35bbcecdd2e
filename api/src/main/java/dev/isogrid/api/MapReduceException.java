package dev.isogrid.api;

import org.jspecify.annotations.Nullable;

/**
 * A map/reduce failed: a function of the user threw an exception, which is the cause, or it was
 * cancelled, or took too long. It left nothing behind and can be started again.
 */
public final class MapReduceException extends GridException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates a failure.
   *
   * @param message what failed, on which node, at which key
   * @param cause the exception of the user's function, or null
   */
  public MapReduceException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
