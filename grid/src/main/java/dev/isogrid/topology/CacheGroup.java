package dev.isogrid.topology;

/**
 * The segments that all caches of the same kind share: they are copied, moved and failed over
 * together.
 *
 * @param owners the wanted number of copies of each segment, 1 or more; {@link #EVERY_MEMBER} for a
 *     copy on each of them
 * @param segmentCount 1 to {@link #SEGMENT_COUNT_MAX}
 * @param isAsync whether writes are answered before all copies have them
 * @param isStored whether the entries of its caches are on disks: a segment that comes back from
 *     them must not take away what other caches have in memory
 */
public record CacheGroup(int owners, int segmentCount, boolean isAsync, boolean isStored) {
  /** As many copies as there are members that can own, up to {@link SegmentOwners#COPIES_MAX}. */
  public static final int EVERY_MEMBER = Integer.MAX_VALUE;

  /** Segments of one cache. */
  public static final int SEGMENT_COUNT_MAX = 1 << 16;

  /** Segments whose writes are answered when all copies have them. */
  public CacheGroup(int owners, int segmentCount) {
    this(owners, segmentCount, false, false);
  }

  /** Segments of caches in memory only. */
  public CacheGroup(int owners, int segmentCount, boolean isAsync) {
    this(owners, segmentCount, isAsync, false);
  }

  /** Checks the ranges. */
  public CacheGroup {
    if (owners < 1 || segmentCount < 1 || segmentCount > SEGMENT_COUNT_MAX) {
      throw new IllegalArgumentException(
          "invalid group of caches: owners=%d, segmentCount=%d, segmentCountMax=%d"
              .formatted(owners, segmentCount, SEGMENT_COUNT_MAX));
    }
  }
}
