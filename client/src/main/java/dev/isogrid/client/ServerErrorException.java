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

  /** Whether there is no cache of that name. */
  public boolean isCacheNotFound() {
    String message = getMessage();
    return message != null && message.contains(HotRod.CACHE_NOT_FOUND);
  }

  /** Whether another server may do better. */
  boolean isWorthRetry() {
    return status == Statuses.NODE_SUSPECTED || status == Statuses.ILLEGAL_LIFECYCLE;
  }
}
