package dev.isogrid.client;

/** What a server sent is not the protocol. The connection is closed. */
final class InvalidResponseException extends HotRodClientException {
  private static final long serialVersionUID = 1;

  InvalidResponseException(String message) {
    super("invalid response: " + message);
  }
}
