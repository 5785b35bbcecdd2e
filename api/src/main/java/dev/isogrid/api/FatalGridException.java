package dev.isogrid.api;

import org.jspecify.annotations.Nullable;

/** The grid or a cache of it can't go on, for example because it is closed. */
public final class FatalGridException extends GridException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates a failure without a cause.
   *
   * @param message what failed, with the values that matter, and what to do
   */
  public FatalGridException(String message) {
    super(message, null);
  }

  /**
   * Creates a failure with its cause.
   *
   * @param message what failed, with the values that matter, and what to do
   * @param cause the failure below, or null
   */
  public FatalGridException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
