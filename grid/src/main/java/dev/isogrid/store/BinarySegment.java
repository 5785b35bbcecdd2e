package dev.isogrid.store;

import dev.isogrid.base.EpochClock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A segment of entries that are one array of bytes each, laid out by {@link EntryLayout}. */
final class BinarySegment extends Segment<BinaryKey, Bytes> {
  /*
   * Structure. An open-addressed table of 2^n references to entries. Linear probing from the hash's
   * lower bits on [1, 6.4, algorithm L]; removal moves later entries of the same run back
   * (algorithm R there), so there are no grave markers and a miss ends at the first empty place.
   * The table doubles when three quarters are full; at that load a hit looks at 2.5 places on
   * average, a miss at 8.5; on the way from one size to the next it is 1.6 and 3. The hash's upper
   * bits chose the segment. Hashes are not kept: they would cost 7 bytes an entry to save looking
   * at the few wrong keys on the way; moving an entry computes its hash again.
   *
   * Concurrency. Entries don't change once they are in the table, the time of their last use
   * apart, so what a window was pointed at can be used for as long as one likes. References are
   * written with release and read with acquire. What moves entries is done in Segment's stamped
   * section, since a reader could miss one that is moved past it.
   *
   * Costs. An array's header, the fields of the layout, and 5.3 to 10.7 bytes a reference with
   * compressed ones. Doubling stops the segment's writers for about 30 ns an entry; its readers
   * spin, then queue for the lock.
   *
   * [1] D. Knuth, The Art of Computer Programming, volume 3.
   */

  private static final int CAPACITY_MIN = 4;

  /** The largest power of two that an array surely can have. */
  private static final int CAPACITY_MAX = 1 << 30;

  private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(byte[][].class);

  private final long epochBits;

  /** Written by the lock's holder within a stamped section. */
  private volatile byte[] @Nullable [] table = new byte[CAPACITY_MIN][];

  /** The place that {@link #locate} found, or the complement of the one to insert at. */
  private int located;

  BinarySegment(int epoch, EpochClock clock) {
    super(epoch, clock);
    this.epochBits = (long) epoch << SEQUENCE_BITS;
  }

  private static byte @Nullable [] entryAt(byte[] @Nullable [] table, int place) {
    return (byte[]) PLACE.getAcquire(table, place);
  }

  private static void setEntry(byte[] @Nullable [] table, int place, byte @Nullable [] entry) {
    PLACE.setRelease(table, place, entry);
  }

  @Override
  boolean pointAtKey(BinaryKey key, int hash, EntryView<BinaryKey, Bytes> view) {
    byte[] @Nullable [] seen = table;
    int place = find(seen, key, hash);
    byte[] entry = place < 0 ? null : entryAt(seen, place);
    ((BinaryView) view).point(entry, epochBits);
    return entry != null;
  }

  /** The place of a key, or the complement of the empty one where its run ends. */
  private static int find(byte[] @Nullable [] table, BinaryKey key, int hash) {
    int mask = table.length - 1;
    int place = hash & mask;
    for (int looked = 0; looked <= mask; looked++) {
      byte[] entry = entryAt(table, place);
      if (entry == null) {
        return ~place;
      }
      if (EntryLayout.isKey(entry, key)) {
        return place;
      }
      place = place + 1 & mask;
    }
    return ~place; // only in a torn read: a table at rest has empty places
  }

  @Override
  public void locate(BinaryKey key, int hash, EntryView<BinaryKey, Bytes> view) {
    assert isLockedByMe();
    located = find(table, key, hash);
    ((BinaryView) view).point(located < 0 ? null : table[located], epochBits);
  }

  @Override
  public void applyLocated(
      BinaryKey key,
      int hash,
      EntryView<BinaryKey, Bytes> current,
      Effect<Bytes> effect,
      long version) {
    assert isLockedByMe();
    boolean touched = effect.kind() == Effect.Kind.TOUCH;
    EntryLayout.Header header = new EntryLayout.Header();
    header.sequence = (touched ? current.version() : version) & SEQUENCE_MAX;
    header.createdMillis = effect.isMortal() ? clock.millis() : 0;
    header.lifespanMillis = effect.lifespanMillis();
    header.maxIdleMillis = effect.maxIdleMillis();
    header.clientFlags = touched ? current.clientFlags() : effect.clientFlags();
    header.mediaType = touched ? current.mediaType() : effect.mediaType();
    byte[] entry = EntryLayout.encode(header, key, touched ? current.value() : effect.value());
    int mortal = effect.isMortal() ? 1 : 0;
    if (located >= 0) {
      byte[] before = entryAt(table, located);
      setEntry(table, located, entry);
      countChanged(0, mortal - (before != null && EntryLayout.isMortal(before) ? 1 : 0));
      return;
    }
    if ((count() + 1) * 4L > table.length * 3L) {
      grow();
      located = ~endOfRun(table, hash);
    }
    located = ~located;
    setEntry(table, located, entry);
    countChanged(1, mortal);
  }

  private void grow() {
    byte[] @Nullable [] old = table;
    if (old.length >= CAPACITY_MAX) {
      throw new IllegalStateException("segment full: entries=" + count());
    }
    byte[] @Nullable [] grown = new byte[old.length * 2][];
    for (byte[] entry : old) {
      if (entry != null) {
        grown[endOfRun(grown, EntryLayout.keyHash(entry))] = entry;
      }
    }
    beginMoves();
    table = grown;
    endMoves();
  }

  private static int endOfRun(byte[] @Nullable [] table, int hash) {
    int mask = table.length - 1;
    int place = hash & mask;
    while (table[place] != null) {
      place = place + 1 & mask;
    }
    return place;
  }

  @Override
  public void removeLocated() {
    assert isLockedByMe() && located >= 0;
    byte[] @Nullable [] target = table;
    byte[] gone = entryAt(target, located);
    int mask = target.length - 1;
    int hole = located;
    beginMoves();
    byte[] entry;
    for (int place = hole + 1 & mask; (entry = target[place]) != null; place = place + 1 & mask) {
      int home = EntryLayout.keyHash(entry) & mask;
      boolean homeIsAfterHole = (place - home & mask) < (place - hole & mask);
      if (!homeIsAfterHole) {
        setEntry(target, hole, entry);
        hole = place;
      }
    }
    setEntry(target, hole, null);
    endMoves();
    located = ~hole;
    countChanged(-1, gone != null && EntryLayout.isMortal(gone) ? -1 : 0);
  }

  @Override
  public void clear() {
    assert isLockedByMe();
    beginMoves();
    table = new byte[CAPACITY_MIN][];
    endMoves();
    countChanged(-count(), -mortalCount());
  }

  @Override
  public SegmentSnapshot<BinaryKey, Bytes> snapshot() {
    assert isLockedByMe();
    byte[] @Nullable [] entries = new byte[count()][];
    int filled = 0;
    for (byte[] entry : table) {
      if (entry != null) {
        entries[filled++] = entry;
      }
    }
    int[] next = {0};
    return view -> {
      if (next[0] == entries.length) {
        return false;
      }
      ((BinaryView) view).point(entries[next[0]++], epochBits);
      return true;
    };
  }

  @Override
  public int removeExpired(
      int from,
      int placesMax,
      long nowMillis,
      EntryView<BinaryKey, Bytes> view,
      EntryReader<BinaryKey, Bytes> reader) {
    assert isLockedByMe();
    byte[] @Nullable [] seen = table;
    int end = (int) Math.min(seen.length, (long) from + placesMax);
    int place = from;
    while (place < end) {
      byte[] entry = seen[place];
      if (entry != null && EntryLayout.isMortal(entry)) {
        ((BinaryView) view).point(entry, epochBits);
        if (view.isExpired(nowMillis)) {
          located = place;
          reader.read(view);
          removeLocated();
          continue; // the removal may have moved another entry here
        }
      }
      place++;
    }
    return end == seen.length ? -1 : end;
  }

  @Override
  void checkInvariants(EntryView<BinaryKey, Bytes> view) {
    assert isLockedByMe();
    byte[] @Nullable [] seen = table;
    int entries = 0;
    int mortals = 0;
    for (int place = 0; place < seen.length; place++) {
      byte[] entry = seen[place];
      if (entry != null) {
        entries++;
        mortals += EntryLayout.isMortal(entry) ? 1 : 0;
        ((BinaryView) view).point(entry, epochBits);
        int found = find(seen, view.key(), EntryLayout.keyHash(entry));
        check(found == place, "entry not found from its home or stored twice", place);
      }
    }
    check(entries == count(), "count is wrong: " + count(), entries);
    check(mortals == mortalCount(), "mortal count is wrong: " + mortalCount(), mortals);
    check(entries * 4L <= seen.length * 3L, "table too full", entries);
  }
}
