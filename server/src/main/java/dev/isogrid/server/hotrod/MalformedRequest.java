package dev.isogrid.server.hotrod;

import java.io.Serial;

/**
 * Malformed bytes: the beginning of the next request is unknown, so the connection ends after an
 * answer. Has no stack trace, since the cause is outside of this program.
 */
final class MalformedRequest extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final int status;

  /**
   * Creates a failure.
   *
   * @param status the status to answer
   * @param message the problem with the relevant values
   */
  MalformedRequest(int status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  int status() {
    return status;
  }
}
