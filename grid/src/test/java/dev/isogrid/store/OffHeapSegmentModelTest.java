package dev.isogrid.store;

class OffHeapSegmentModelTest extends SegmentModelContract<BinaryKey, Bytes> {
  OffHeapSegmentModelTest() {
    super(TextKind.OFF_HEAP);
  }
}
