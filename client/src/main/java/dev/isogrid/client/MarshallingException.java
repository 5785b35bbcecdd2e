package dev.isogrid.client;

import org.jspecify.annotations.Nullable;

/** A key or value could not be turned into bytes, or bytes into a key or value. */
public final class MarshallingException extends HotRodClientException {
  private static final long serialVersionUID = 1;

  /** Creates one with its cause. */
  public MarshallingException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
