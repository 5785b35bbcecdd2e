package dev.isogrid.client;

/**
 * So much is under way to a server that the limits of {@link RequestLimits} don't let more in. The
 * operation was not sent.
 */
public final class TooManyRequestsException extends HotRodClientException {
  private static final long serialVersionUID = 1;

  TooManyRequestsException(String message) {
    super(message);
  }
}
