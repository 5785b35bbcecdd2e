package dev.isogrid.store;

import org.jspecify.annotations.Nullable;

/** The entries that a segment of arrays had at one moment, one reference each. For one thread. */
final class ArraySnapshot implements SegmentSnapshot<BinaryKey, Bytes> {
  private final byte[] @Nullable [] entries;
  private final long epochBits;
  private int next;

  /**
   * Begins before the first entry.
   *
   * @param entries without nulls; taken
   */
  ArraySnapshot(byte[] @Nullable [] entries, long epochBits) {
    this.entries = entries;
    this.epochBits = epochBits;
  }

  @Override
  public boolean next(EntryView<BinaryKey, Bytes> view) {
    if (next == entries.length) {
      return false;
    }
    ((BinaryView) view).point(entries[next++], epochBits);
    return true;
  }

  @Override
  public int remaining() {
    return entries.length - next;
  }
}
