package dev.isogrid.api;

import org.jspecify.annotations.Nullable;

/** The operation took no effect, or its effect is unknown but repeating it is safe: try again. */
public final class RetryableGridException extends GridException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates a failure without a cause.
   *
   * @param message what failed, with the values that matter, and what to do
   */
  public RetryableGridException(String message) {
    super(message, null);
  }

  /**
   * Creates a failure with its cause.
   *
   * @param message what failed, with the values that matter, and what to do
   * @param cause the failure below, or null
   */
  public RetryableGridException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
