package dev.isogrid.store;

class BinarySegmentConcurrencyTest extends SegmentConcurrencyContract<BinaryKey, Bytes> {
  BinarySegmentConcurrencyTest() {
    super(TextKind.BINARY);
  }
}
