package dev.isogrid.store;

class OffHeapSegmentExpiryTest extends SegmentExpiryContract<BinaryKey, Bytes> {
  OffHeapSegmentExpiryTest() {
    super(TextKind.OFF_HEAP);
  }

  @Override
  long stripesVisited() {
    return ((OffHeapSegment) ((Segment<?, ?>) fixture.segment)).pagesVisited();
  }
}
