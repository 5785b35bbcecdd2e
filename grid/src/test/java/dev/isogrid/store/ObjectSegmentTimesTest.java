package dev.isogrid.store;

class ObjectSegmentTimesTest extends SegmentTimesContract<Object, Object> {
  ObjectSegmentTimesTest() {
    super(TextKind.OBJECTS);
  }
}
