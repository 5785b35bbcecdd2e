package dev.isogrid.store;

class CompressedBinarySegmentExpiryTest extends SegmentExpiryContract<BinaryKey, Bytes> {
  CompressedBinarySegmentExpiryTest() {
    super(TextKind.COMPRESSED_BINARY);
  }

  @Override
  long stripesVisited() {
    return ((BinarySegment) ((Segment<?, ?>) fixture.segment)).stripesVisited();
  }
}
