package dev.isogrid.api;

import org.jspecify.annotations.Nullable;

/** The call itself is wrong: repeating it unchanged fails again. */
public final class InvalidRequestException extends GridException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates a failure without a cause.
   *
   * @param message what failed, with the values that matter, and what to do
   */
  public InvalidRequestException(String message) {
    super(message, null);
  }

  /**
   * Creates a failure with its cause.
   *
   * @param message what failed, with the values that matter, and what to do
   * @param cause the failure below, or null
   */
  public InvalidRequestException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
