package dev.isogrid.engine;

import java.util.Arrays;
import java.util.BitSet;

/** Prints of a cache's entries in one segment. Immutable. */
public final class EntryPrints implements Sized {
  private final int cacheId;
  private final BitSet buckets;
  private final long[] prints;

  /**
   * Prints of entries.
   *
   * @param cacheId the cache
   * @param buckets those whose entries are meant; not to be changed any more
   * @param prints in rising order; not to be changed any more
   */
  EntryPrints(int cacheId, BitSet buckets, long[] prints) {
    this.cacheId = cacheId;
    this.buckets = buckets;
    this.prints = prints;
  }

  int cacheId() {
    return cacheId;
  }

  /** Whether the entries of a bucket are meant. */
  boolean concerns(int bucket) {
    return buckets.get(bucket);
  }

  /** The buckets as bits. */
  long[] bucketBits() {
    return buckets.toLongArray();
  }

  int count() {
    return prints.length;
  }

  long print(int index) {
    return prints[index];
  }

  /** Returns the place of a print, negative if it is not there. */
  int indexOf(long print) {
    return Arrays.binarySearch(prints, print);
  }

  @Override
  public int sizeBytes() {
    return prints.length * Long.BYTES + buckets.length() / Byte.SIZE;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EntryPrints that
        && cacheId == that.cacheId
        && buckets.equals(that.buckets)
        && Arrays.equals(prints, that.prints);
  }

  @Override
  public int hashCode() {
    return 31 * cacheId + Arrays.hashCode(prints);
  }

  @Override
  public String toString() {
    return "EntryPrints[cache=%d, count=%d]".formatted(cacheId, prints.length);
  }
}
