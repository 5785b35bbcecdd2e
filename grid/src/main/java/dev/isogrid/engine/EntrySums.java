package dev.isogrid.engine;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Sums of the prints of a cache's entries in one segment, one sum for each bucket of keys. Two
 * nodes that have the same sums have the same entries. Not changed any more once it is sent.
 */
public final class EntrySums implements Sized {
  /** Buckets at most, as a power of 2: with these, a sum is of 16 entries at most. */
  static final int BITS_MAX = 16;

  /**
   * Entries of a cache in one segment that are compared at most. More of them take too long to walk
   * through in one go, and are copied whole.
   */
  static final int ENTRIES_MAX = 1 << 20;

  /**
   * A sum of 8 bytes for so many entries. With fewer the sums take more bytes, with more the
   * buckets that differ have more entries that don't.
   */
  private static final int BUCKET_ENTRIES = 16;

  private final int cacheId;
  private final long seed;
  private final long[] sums;

  /**
   * Sums that were computed.
   *
   * @param cacheId the cache
   * @param seed that of the prints
   * @param sums not to be changed any more; their number is a power of 2
   */
  EntrySums(int cacheId, long seed, long[] sums) {
    if (Integer.bitCount(sums.length) != 1 || sums.length > 1 << BITS_MAX) {
      throw new IllegalArgumentException("invalid sums: count=" + sums.length);
    }
    this.cacheId = cacheId;
    this.seed = seed;
    this.sums = sums;
  }

  /** Sums of no entries yet, for about so many. */
  static EntrySums forEntries(int cacheId, long seed, long entries) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, entries - 1) / BUCKET_ENTRIES);
    return new EntrySums(cacheId, seed, new long[1 << Math.min(bits, BITS_MAX)]);
  }

  /** Sums of no entries yet, to be compared with these. */
  EntrySums empty() {
    return new EntrySums(cacheId, seed, new long[sums.length]);
  }

  int cacheId() {
    return cacheId;
  }

  long seed() {
    return seed;
  }

  int count() {
    return sums.length;
  }

  long sum(int bucket) {
    return sums[bucket];
  }

  /** Returns the bucket of a key by its hash. */
  int bucket(long keyHash) {
    return (int) (keyHash & (sums.length - 1));
  }

  /** Adds an entry, while the sums are computed. */
  void add(long keyHash, long print) {
    sums[bucket(keyHash)] += print;
  }

  /** Returns the buckets whose sums differ from those of as many others. */
  BitSet differing(EntrySums other) {
    BitSet differing = new BitSet(sums.length);
    for (int i = 0; i < sums.length; i++) {
      differing.set(i, sums[i] != other.sums[i]);
    }
    return differing;
  }

  @Override
  public int sizeBytes() {
    return sums.length * Long.BYTES;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EntrySums that
        && cacheId == that.cacheId
        && seed == that.seed
        && Arrays.equals(sums, that.sums);
  }

  @Override
  public int hashCode() {
    return 31 * cacheId + Arrays.hashCode(sums);
  }

  @Override
  public String toString() {
    return "EntrySums[cache=%d, count=%d]".formatted(cacheId, sums.length);
  }
}
