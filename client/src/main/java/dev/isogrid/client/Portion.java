package dev.isogrid.client;

/** A part of a value that comes from a server. */
final class Portion {
  /** Its bytes, for the receiver. */
  final byte[] bytes;

  /** Whether nothing comes after it. */
  final boolean isLast;

  Portion(byte[] bytes, boolean isLast) {
    this.bytes = bytes;
    this.isLast = isLast;
  }
}
