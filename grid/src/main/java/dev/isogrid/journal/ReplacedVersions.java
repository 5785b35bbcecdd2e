package dev.isogrid.journal;

import org.jspecify.annotations.Nullable;

/**
 * The versions that later puts replaced, as far as they are known. Their records count no more, so
 * that the cleaner need not look up their entries. For one thread.
 */
final class ReplacedVersions {
  /*
   * A ring of bits per segment, one for each of its latest versions: the writes of a segment count
   * them up one by one. Versions before the ring are unknown.
   *
   * A lookup of an entry reads two or three places of the memory that no processor has near. The
   * bits of a million records are 128 kB, and those of a segment are read in their order.
   */

  /**
   * One version for so many live bytes, so that the bits are less than two percent of them. They
   * reach back further than the log: what was carried once has a version from before.
   */
  private static final int BYTES_PER_VERSION = 16;

  /** The most words of a ring, for a store of 16 TB. */
  private static final int WORDS_MAX = 1 << 24;

  private final long[] @Nullable [] rings;

  /** The number of the last word in each ring, which is that of its versions divided by 64. */
  private final long[] last;

  /** The words that a ring should have, a power of two. */
  private int words = 1;

  ReplacedVersions(int segments) {
    this.rings = new long[segments][];
    this.last = new long[segments];
  }

  /** Lets the rings have the size for a number of bytes that count. They do not shrink. */
  void liveBytes(long bytes) {
    long wanted = bytes / BYTES_PER_VERSION / rings.length / Long.SIZE;
    while (words < wanted && words < WORDS_MAX) {
      words *= 2;
    }
  }

  /** Notes that the entry of a version was replaced. */
  void add(int segment, long version) {
    long[] ring = rings[segment];
    if (ring == null || ring.length < words) {
      ring = larger(ring, last[segment]);
      rings[segment] = ring;
    }
    long word = version / Long.SIZE;
    int mask = ring.length - 1;
    if (word > last[segment]) {
      for (long next = Math.max(last[segment] + 1, word - mask); next <= word; next++) {
        ring[(int) next & mask] = 0;
      }
      last[segment] = word;
    }
    if (word > last[segment] - ring.length) {
      ring[(int) word & mask] |= 1L << version;
    }
  }

  private long[] larger(long @Nullable [] ring, long lastWord) {
    long[] larger = new long[words];
    for (int i = 0; ring != null && i < ring.length; i++) {
      long word = lastWord - i;
      larger[(int) word & (words - 1)] = ring[(int) word & (ring.length - 1)];
    }
    return larger;
  }

  /** Returns whether the entry of a version was replaced; false if that is not known. */
  boolean has(int segment, long version) {
    long[] ring = rings[segment];
    long word = version / Long.SIZE;
    return ring != null
        && word <= last[segment]
        && word > last[segment] - ring.length
        && (ring[(int) word & (ring.length - 1)] & 1L << version) != 0;
  }
}
