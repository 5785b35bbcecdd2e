package dev.isogrid.store;

import org.jspecify.annotations.Nullable;

/**
 * Goes through an off-heap segment in the order of the tags, which does not change while the index
 * grows and pages are compacted: so an entry that is there all the time is seen exactly once, and
 * nothing of the segment is held between two calls. For one thread.
 */
final class OffHeapScan implements SegmentSnapshot<BinaryKey, Bytes> {
  private final OffHeapSegment segment;
  private final long epochBits;
  private final EntryBatch batch = new EntryBatch();

  private final boolean isOrdered;

  /** The key that the first batch's entries follow; null later, or if that is all of them. */
  private @Nullable BinaryKey after;

  /** Where the next batch begins. */
  private int nextTag;

  /** Begins a walk in no order among the entries of one tag, which is all that it costs less. */
  OffHeapScan(OffHeapSegment segment, long epochBits) {
    this.segment = segment;
    this.epochBits = epochBits;
    this.isOrdered = false;
  }

  /**
   * Begins a walk in the order of tags and keys.
   *
   * @param after the key that the first entry follows, or null
   */
  OffHeapScan(OffHeapSegment segment, long epochBits, @Nullable BinaryKey after) {
    this.segment = segment;
    this.epochBits = epochBits;
    this.isOrdered = true;
    this.after = after;
    this.nextTag = after == null ? 0 : Segment.tag(after.hash());
  }

  @Override
  public boolean next(EntryView<BinaryKey, Bytes> view) {
    while (!batch.next((BinaryView) view, epochBits)) {
      if (nextTag >= SlotBlock.TAG_COUNT) {
        return false;
      }
      batch.clear();
      int firstTag = nextTag;
      nextTag = segment.scan(firstTag, batch);
      batch.copyValues();
      if (isOrdered) {
        batch.order();
      }
      if (after != null) {
        batch.skip(firstTag, after);
        after = null;
      }
    }
    return true;
  }
}
