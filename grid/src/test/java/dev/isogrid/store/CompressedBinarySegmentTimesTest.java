package dev.isogrid.store;

class CompressedBinarySegmentTimesTest extends SegmentTimesContract<BinaryKey, Bytes> {
  CompressedBinarySegmentTimesTest() {
    super(TextKind.COMPRESSED_BINARY);
  }
}
