package dev.isogrid.store;

class CompressedOffHeapSegmentTimesTest extends SegmentTimesContract<BinaryKey, Bytes> {
  CompressedOffHeapSegmentTimesTest() {
    super(TextKind.COMPRESSED_OFF_HEAP);
  }
}
