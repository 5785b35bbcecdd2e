package dev.isogrid.client;

/** There was no answer in time. A write may have been done all the same, or may still be. */
public final class OperationTimeoutException extends HotRodClientException {
  private static final long serialVersionUID = 1;

  OperationTimeoutException(String message) {
    super(message);
  }
}
