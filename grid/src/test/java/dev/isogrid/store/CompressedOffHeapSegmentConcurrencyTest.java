package dev.isogrid.store;

class CompressedOffHeapSegmentConcurrencyTest extends SegmentConcurrencyContract<BinaryKey, Bytes> {
  CompressedOffHeapSegmentConcurrencyTest() {
    super(TextKind.COMPRESSED_OFF_HEAP);
  }
}
