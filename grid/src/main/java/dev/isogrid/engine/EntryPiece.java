package dev.isogrid.engine;

import dev.isogrid.store.DetachedEntry;

/**
 * A part of an entry that is too large for one message, as a copy of a segment has it. The parts
 * come one after the other, from the first byte of the value to the last.
 *
 * @param entry the entry with this part of its value in the place of the whole
 * @param offset where the part begins, 0 or more
 * @param length that of the whole value
 */
record EntryPiece(DetachedEntry entry, int offset, int length) implements Sized {
  /** Checks that the part is within the whole. */
  EntryPiece {
    if (offset < 0 || length < 0 || length - offset < entry.value().length()) {
      throw new IllegalArgumentException(
          "invalid part of an entry: offset=%d, part=%d, length=%d"
              .formatted(offset, entry.value().length(), length));
    }
  }

  /** Whether it is the last part. */
  boolean isLast() {
    return offset + entry.value().length() == length;
  }

  @Override
  public int sizeBytes() {
    return entry.sizeBytes();
  }
}
