package dev.isogrid.client;

import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.Statuses;

/** The server answered with an error. */
public final class ServerErrorException extends HotRodClientException {
  private static final long serialVersionUID = 1;

  private final int status;

  ServerErrorException(int status, String message) {
    super(message);
    this.status = status;
  }

  /** The protocol's number of the error, 0x81 to 0x88; 0x05 if an iteration is over there. */
  public int status() {
    return status;
  }

  /** Whether a cache of that name is missing. */
  public boolean isCacheNotFound() {
    String message = getMessage();
    return message != null && message.contains(HotRod.CACHE_NOT_FOUND);
  }

  /** Whether a request of fewer keys may be answered. */
  boolean isAnswerTooLarge() {
    String message = getMessage();
    return message != null && message.contains(HotRod.ANSWER_TOO_LARGE);
  }

  /** Whether another server may do better. */
  boolean isWorthRetry() {
    return status == Statuses.NODE_SUSPECTED || status == Statuses.ILLEGAL_LIFECYCLE;
  }
}
