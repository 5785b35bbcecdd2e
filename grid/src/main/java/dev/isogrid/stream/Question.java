package dev.isogrid.stream;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A question to a node: a pipeline for some segments.
 *
 * @param segments the segments; must not change
 * @param cursorSegment a segment with a partial answer; -1 if there is none
 * @param cursor the last key of the partial answer
 * @param pageBytes the wanted size of a page, approximately
 */
record Question(BitSet segments, int cursorSegment, Cursor cursor, int pageBytes) {
  /** A position in a segment: after a key, or before all if that is null. */
  static final class Cursor {
    static final Cursor START = new Cursor(null);

    final byte @Nullable [] key;

    Cursor(byte @Nullable [] key) {
      this.key = key;
    }
  }
}
