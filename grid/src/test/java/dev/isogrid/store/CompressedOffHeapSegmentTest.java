package dev.isogrid.store;

class CompressedOffHeapSegmentTest extends SegmentContract<BinaryKey, Bytes> {
  CompressedOffHeapSegmentTest() {
    super(TextKind.COMPRESSED_OFF_HEAP);
  }
}
