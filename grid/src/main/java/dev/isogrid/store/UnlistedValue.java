package dev.isogrid.store;

import dev.isogrid.api.InvalidRequestException;

/**
 * Stands in a walk for a value that is too large to be copied, since a walk mostly wants keys. Its
 * bytes are refused.
 */
record UnlistedValue(int length) implements Bytes {
  /** Larger values, which only streams can write, are not copied for a walk: a message's size. */
  static final int LISTED_MAX = 64 << 20;

  @Override
  public void copyTo(byte[] target, int offset) {
    throw refusal();
  }

  @Override
  public byte[] toByteArray() {
    throw refusal();
  }

  InvalidRequestException refusal() {
    return new InvalidRequestException(
        "value too large for a listing: size=%d, limit=%d; list keys, and stream it by its key"
            .formatted(length, LISTED_MAX));
  }
}
