package dev.isogrid.store;

class BinarySegmentExpiryTest extends SegmentExpiryContract<BinaryKey, Bytes> {
  BinarySegmentExpiryTest() {
    super(TextKind.BINARY);
  }

  @Override
  long stripesVisited() {
    return ((BinarySegment) ((Segment<?, ?>) fixture.segment)).stripesVisited();
  }
}
