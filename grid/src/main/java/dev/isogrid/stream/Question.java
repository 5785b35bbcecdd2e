package dev.isogrid.stream;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * What a node is asked for: a pipeline for some segments.
 *
 * @param segments the segments; not changed any more
 * @param cursorSegment one that was answered in part; -1 if there is none
 * @param cursor up to which key that was
 * @param pageBytes how large a page is to be, about
 */
record Question(BitSet segments, int cursorSegment, Cursor cursor, int pageBytes) {
  /** A place in a segment: after a key, or before all if that is null. */
  static final class Cursor {
    static final Cursor START = new Cursor(null);

    final byte @Nullable [] key;

    Cursor(byte @Nullable [] key) {
      this.key = key;
    }
  }
}
