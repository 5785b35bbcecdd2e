package dev.isogrid.store;

class ObjectSegmentConcurrencyTest extends SegmentConcurrencyContract<Object, Object> {
  ObjectSegmentConcurrencyTest() {
    super(TextKind.OBJECTS);
  }
}
