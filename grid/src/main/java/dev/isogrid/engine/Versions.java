package dev.isogrid.engine;

/** Versions of entries: the epoch of the segment above, the place in its order below. */
final class Versions {
  /** Bits of the sequence; the sign bit stays 0. */
  static final int SEQUENCE_BITS = 39;

  private Versions() {}

  static long of(int segEpoch, long seq) {
    return (long) segEpoch << SEQUENCE_BITS | seq;
  }
}
