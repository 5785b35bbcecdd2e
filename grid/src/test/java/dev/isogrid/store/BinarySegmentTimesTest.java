package dev.isogrid.store;

class BinarySegmentTimesTest extends SegmentTimesContract<BinaryKey, Bytes> {
  BinarySegmentTimesTest() {
    super(TextKind.BINARY);
  }
}
