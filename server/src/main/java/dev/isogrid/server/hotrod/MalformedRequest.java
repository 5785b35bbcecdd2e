package dev.isogrid.server.hotrod;

import java.io.Serial;

/**
 * Bytes that are no request: where the next one would begin is not known, so the connection ends
 * after an answer. Has no stack trace, since it says nothing about this program.
 */
final class MalformedRequest extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final int status;

  /**
   * Creates a failure.
   *
   * @param status the status to answer
   * @param message what is wrong, with the values that matter
   */
  MalformedRequest(int status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  int status() {
    return status;
  }
}
