package dev.isogrid.store;

class BinarySegmentModelTest extends SegmentModelContract<BinaryKey, Bytes> {
  BinarySegmentModelTest() {
    super(TextKind.BINARY);
  }
}
