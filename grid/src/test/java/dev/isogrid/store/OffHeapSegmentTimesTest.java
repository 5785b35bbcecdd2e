package dev.isogrid.store;

class OffHeapSegmentTimesTest extends SegmentTimesContract<BinaryKey, Bytes> {
  OffHeapSegmentTimesTest() {
    super(TextKind.OFF_HEAP);
  }
}
