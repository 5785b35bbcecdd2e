package dev.isogrid.store;

class CompressedBinarySegmentTest extends SegmentContract<BinaryKey, Bytes> {
  CompressedBinarySegmentTest() {
    super(TextKind.COMPRESSED_BINARY);
  }
}
