package dev.isogrid.store;

/**
 * Goes through an off-heap segment in the order of the tags, which does not change while the index
 * grows and pages are compacted: so an entry that is there all the time is seen exactly once, and
 * nothing of the segment is held between two calls. For one thread.
 */
final class OffHeapScan implements SegmentSnapshot<BinaryKey, Bytes> {
  private final OffHeapSegment segment;
  private final long epochBits;
  private final EntryBatch batch = new EntryBatch();

  /** Where the next batch begins. */
  private int nextTag;

  OffHeapScan(OffHeapSegment segment, long epochBits) {
    this.segment = segment;
    this.epochBits = epochBits;
  }

  @Override
  public boolean next(EntryView<BinaryKey, Bytes> view) {
    while (!batch.next((BinaryView) view, epochBits)) {
      if (nextTag >= SlotBlock.TAG_COUNT) {
        return false;
      }
      batch.clear();
      nextTag = segment.scan(nextTag, batch);
      batch.copyValues();
    }
    return true;
  }
}
