package dev.isogrid.store;

class ObjectSegmentModelTest extends SegmentModelContract<Object, Object> {
  ObjectSegmentModelTest() {
    super(TextKind.OBJECTS);
  }
}
