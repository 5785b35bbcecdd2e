package dev.isogrid.store;

class CompressedBinarySegmentModelTest extends SegmentModelContract<BinaryKey, Bytes> {
  CompressedBinarySegmentModelTest() {
    super(TextKind.COMPRESSED_BINARY);
  }
}
