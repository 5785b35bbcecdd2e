package dev.isogrid.store;

class CompressedOffHeapSegmentExpiryTest extends SegmentExpiryContract<BinaryKey, Bytes> {
  CompressedOffHeapSegmentExpiryTest() {
    super(TextKind.COMPRESSED_OFF_HEAP);
  }

  @Override
  long stripesVisited() {
    return ((OffHeapSegment) ((Segment<?, ?>) fixture.segment)).pagesVisited();
  }
}
