package dev.isogrid.store;

class ObjectSegmentExpiryTest extends SegmentExpiryContract<Object, Object> {
  ObjectSegmentExpiryTest() {
    super(TextKind.OBJECTS);
  }

  @Override
  long stripesVisited() {
    return ((ObjectSegment) fixture.segment).stripesVisited();
  }
}
