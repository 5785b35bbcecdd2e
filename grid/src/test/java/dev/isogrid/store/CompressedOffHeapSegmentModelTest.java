package dev.isogrid.store;

class CompressedOffHeapSegmentModelTest extends SegmentModelContract<BinaryKey, Bytes> {
  CompressedOffHeapSegmentModelTest() {
    super(TextKind.COMPRESSED_OFF_HEAP);
  }
}
