package dev.isogrid.engine;

import dev.isogrid.store.Segment;

/**
 * Up to which place of its order the store of a clustered cache has each segment. Each segment's
 * part is guarded by the lock of the segment.
 */
final class StoredOrder {
  /*
   * Records are in the order of the writes, and a store that lost its tail has a beginning of them.
   * So of two stores the one with the greater place has all that the other has. That does not hold
   * while a copy is being received, whose entries come in any order: from the removal of what was
   * there before up to the end of the copy a segment has no place, it lacks something.
   */
  /** The place of a segment that lacks something. */
  static final long LACKING = -1;

  private final long epochBits;
  private final long[] places;

  /** Begins with nothing written anywhere. */
  StoredOrder(int epoch, int segments) {
    epochBits = Segment.epochBits(epoch);
    places = new long[segments];
  }

  /** The segment was emptied, and is not what it is in the cluster. */
  void lack(int index) {
    places[index] = LACKING;
  }

  /** The segment has all up to a place. */
  void complete(int index, long seq) {
    places[index] = Math.max(places[index], seq);
  }

  /** A write came, or all up to it; it counts if nothing lacks. */
  void reached(int index, long seq) {
    if (places[index] != LACKING) {
      places[index] = Math.max(places[index], seq);
    }
  }

  /** Returns whether a place is behind that of a segment that lacks nothing. */
  boolean isBehind(int index, long seq) {
    return places[index] != LACKING && places[index] < seq;
  }

  /** A record said a place. */
  void load(int index, long version) {
    if (version == 0) {
      lack(index);
    } else {
      complete(index, version & Segment.SEQUENCE_MAX);
    }
  }

  /** Returns what a record says: the version of the last write, or 0 if something lacks. */
  long version(int index) {
    return places[index] == LACKING ? 0 : epochBits | places[index];
  }

  /** Returns the place of a segment. */
  long place(int index) {
    return places[index];
  }

  /** Returns the places of all segments in a new array. */
  long[] all() {
    return places.clone();
  }
}
