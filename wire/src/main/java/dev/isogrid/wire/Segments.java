package dev.isogrid.wire;

/**
 * From a key's hash to its segment: the upper 31 bits of hash space are cut into equal parts, one a
 * segment. Immutable and thread-safe; no allocation.
 *
 * <p>Clients compute the same: the part's size is 2<sup>31</sup> divided by the number of segments,
 * rounded up.
 */
public final class Segments {
  private final int count;
  private final int partSize;

  /** The number of bits to shift by where the count is a power of two above 1, else 0. */
  private final int shift;

  /**
   * Cuts hash space into segments.
   *
   * @param count number of segments, 1 or more
   */
  public Segments(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("invalid segment count: count=" + count);
    }
    this.count = count;
    this.partSize = (int) Math.min(Integer.MAX_VALUE, ((1L << 31) + count - 1) / count);
    boolean powerOfTwo = count > 1 && Integer.bitCount(count) == 1;
    this.shift = powerOfTwo ? 31 - Integer.numberOfTrailingZeros(count) : 0;
  }

  /** The number of segments. */
  public int count() {
    return count;
  }

  /** The segment of a hash, 0 to count - 1. */
  public int of(int hash) {
    int positive = hash & Integer.MAX_VALUE;
    return shift != 0 ? positive >>> shift : Math.min(positive / partSize, count - 1);
  }
}
