package dev.isogrid.client;

import org.jspecify.annotations.Nullable;

/** An operation of the client failed; the subclasses say why. */
public class HotRodClientException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Creates one with a message for people. */
  public HotRodClientException(String message) {
    super(message);
  }

  /** Creates one with its cause. */
  public HotRodClientException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
