package dev.isogrid.client;

import org.jspecify.annotations.Nullable;

/**
 * No server could be reached, or the connection was lost. A write that was under way may have been
 * done.
 */
public final class TransportException extends HotRodClientException {
  private static final long serialVersionUID = 1;

  TransportException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
