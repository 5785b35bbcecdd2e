package dev.isogrid.client;

/** A server sent bytes that break the protocol. The connection is closed. */
final class InvalidResponseException extends HotRodClientException {
  private static final long serialVersionUID = 1;

  InvalidResponseException(String message) {
    super("invalid response: " + message);
  }
}
