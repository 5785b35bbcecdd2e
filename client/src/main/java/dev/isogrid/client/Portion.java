package dev.isogrid.client;

/** A part of a value from a server. */
final class Portion {
  /** Its bytes, for the receiver. */
  final byte[] bytes;

  /** Whether it is the last part. */
  final boolean isLast;

  Portion(byte[] bytes, boolean isLast) {
    this.bytes = bytes;
    this.isLast = isLast;
  }
}
