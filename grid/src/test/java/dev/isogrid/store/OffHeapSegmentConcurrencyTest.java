package dev.isogrid.store;

class OffHeapSegmentConcurrencyTest extends SegmentConcurrencyContract<BinaryKey, Bytes> {
  OffHeapSegmentConcurrencyTest() {
    super(TextKind.OFF_HEAP);
  }
}
