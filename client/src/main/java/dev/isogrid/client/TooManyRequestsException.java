package dev.isogrid.client;

/**
 * So much is under way to a server that the limits of {@link RequestLimits} don't let more in, or
 * more than 10,000 asynchronous operations with functions wait. The operation was not begun.
 */
public final class TooManyRequestsException extends HotRodClientException {
  private static final long serialVersionUID = 1;

  TooManyRequestsException(String message) {
    super(message);
  }
}
