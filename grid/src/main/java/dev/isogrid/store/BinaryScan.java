package dev.isogrid.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Goes through a segment of arrays in the order of the reversed bits of the keys' hashes. Holds
 * nothing of the segment between two calls. For one thread.
 */
final class BinaryScan implements SegmentSnapshot<BinaryKey, Bytes> {
  /*
   * A table of 2^n places keeps an entry at or behind the place that the lower n bits of its hash
   * name, so going through the places in the order of their reversed bits goes through the entries
   * in that of their reversed hashes, whatever n is. Where to go on is a reversed hash, at the
   * border of two places; entries before it were seen, also if the table is a smaller one by then.
   */
  /** Places that are looked at under one hold of the lock: some 10 microseconds. */
  private static final int PLACES_MAX = 128;

  /** An entry, and the bits that it is ordered by. */
  private static final class Placed {
    static final Comparator<Placed> ORDER =
        Comparator.comparing((Placed placed) -> placed.reversed, Integer::compareUnsigned)
            .thenComparing(placed -> placed.entry, EntryLayout::compareKeys);

    final int reversed;
    final byte[] entry;

    Placed(byte[] entry) {
      this.reversed = Integer.reverse(EntryLayout.keyHash(entry, 0));
      this.entry = entry;
    }
  }

  private final BinarySegment segment;
  private final long epochBits;
  private final @Nullable BinaryKey after;
  private final List<byte[]> batch = new ArrayList<>();
  private int taken;

  /** The reversed hash to go on with, of 32 bits; 2^32 at the end. */
  private long next;

  /**
   * Begins.
   *
   * @param after the key that the first entry follows; null for the first of all; not changed
   */
  BinaryScan(BinarySegment segment, long epochBits, @Nullable BinaryKey after) {
    this.segment = segment;
    this.epochBits = epochBits;
    this.after = after;
    this.next = after == null ? 0 : Integer.toUnsignedLong(Integer.reverse(after.hash()));
  }

  @Override
  public boolean next(EntryView<BinaryKey, Bytes> view) {
    while (taken == batch.size()) {
      if (next >>> Integer.SIZE != 0) {
        return false;
      }
      batch.clear();
      taken = 0;
      segment.lock();
      try {
        fill();
      } finally {
        segment.unlock();
      }
    }
    ((BinaryView) view).point(batch.get(taken++), epochBits);
    return true;
  }

  /** Takes the entries of some places, in order. Locked. */
  private void fill() {
    int placeBits = Integer.numberOfTrailingZeros(segment.capacity());
    long step = 1L << (Integer.SIZE - placeBits);
    List<byte[]> found = new ArrayList<>();
    for (int looked = 0; looked < PLACES_MAX && next >>> Integer.SIZE == 0; looked++) {
      int place = Integer.reverse((int) next) & segment.capacity() - 1;
      segment.addEntriesOf(place, found);
      long from = next;
      found.stream()
          .map(Placed::new)
          .filter(each -> Integer.toUnsignedLong(each.reversed) >= from && isAfter(each))
          .sorted(Placed.ORDER)
          .forEach(each -> batch.add(each.entry));
      found.clear();
      next = (next & -step) + step;
    }
  }

  private boolean isAfter(Placed each) {
    if (after == null || each.reversed != Integer.reverse(after.hash())) {
      return true;
    }
    return EntryLayout.compareKey(each.entry, after) > 0;
  }
}
