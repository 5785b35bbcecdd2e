package dev.isogrid.server.memcached;

/**
 * The largest items that a port accepts. Immutable.
 *
 * @param lengthMax the most bytes of a value
 * @param sizeMax the most bytes of an item, including memcached's overhead beside key and value
 */
record ItemSize(int lengthMax, int sizeMax) {
  /**
   * The overhead of an item in memcached 1.6: its header, its cas unique, the ends of key and
   * value.
   */
  private static final int OVERHEAD = 48 + 8 + 1 + 2;

  /** The bytes of client flags other than 0. */
  private static final int FLAGS_SIZE = 4;

  /** Whether an item is within the limits. */
  boolean fits(long valueLength, int keyLength, int clientFlags) {
    return valueLength <= lengthMax && of(valueLength, keyLength, clientFlags) <= sizeMax;
  }

  /** The size of an item by memcached's count. */
  static long of(long valueLength, int keyLength, int clientFlags) {
    return OVERHEAD + keyLength + valueLength + (clientFlags == 0 ? 0 : FLAGS_SIZE);
  }
}
