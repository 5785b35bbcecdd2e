package dev.isogrid.store;

import org.jspecify.annotations.Nullable;

/**
 * Where the entries of a segment are in the files of a store. Guarded by the segment's lock, but
 * for {@link #mayBeEvicted} and {@link #evictedCount}.
 */
public final class StoredPlaces {
  /*
   * An entry that is in memory is known by the sequence of its version, which no other one of the
   * segment has: its place is in the table under that number, or what it waits for, see
   * PENDING. An entry that is on the disk only is known by its hash, which others may have, too:
   * which one it is, its record tells. A bit says which of both a number is.
   */
  /** The bits of a place. */
  public static final int PLACE_BITS = PlaceBlock.PLACE_BITS;

  /** In a place: the record is not written yet, the other bits are its sequence. */
  private static final long PENDING = 1L << (PLACE_BITS - 1);

  /** In a number: it is the hash of an entry that is on the disk only. */
  private static final long EVICTED = 1L << Segment.SEQUENCE_BITS;

  private final PlaceTable table;

  /** Written with the segment's lock, read by any thread. */
  private volatile int evictedCount;

  /**
   * Begins without entries.
   *
   * @param pool where the memory comes from; null for the heap
   */
  StoredPlaces(@Nullable PagePool pool) {
    this.table = new PlaceTable(pool);
  }

  /** Takes what is known of an entry that is on the disk only. */
  @FunctionalInterface
  public interface Visitor {
    /** Takes an entry's hash and place. */
    void visit(int hash, long place);
  }

  /** What stands for the place of a record that is not written yet. */
  public static long pending(long recordSequence) {
    return PENDING | (recordSequence & (PENDING - 1));
  }

  /** Whether a place stands for that of a record that is not written yet. */
  public static boolean isPending(long place) {
    return (place & PENDING) != 0;
  }

  private static long evicted(int hash) {
    return EVICTED | Integer.toUnsignedLong(hash);
  }

  /** The number of entries that are on the disk only. Any thread. */
  public int evictedCount() {
    return evictedCount;
  }

  /** Whether an entry of a hash may be on the disk only. Any thread; a hint. */
  public boolean mayBeEvicted(int hash) {
    return evictedCount > 0 && table.mayHave(evicted(hash));
  }

  /** The places of the entries of a hash that are on the disk only. */
  public long[] evictedOf(int hash) {
    return table.placesOf(evicted(hash));
  }

  /** Whether an entry that is on the disk only is at a place. */
  public boolean isEvicted(int hash, long place) {
    for (long each : evictedOf(hash)) {
      if (each == place) {
        return true;
      }
    }
    return false;
  }

  /** The place of an entry in memory; 0 if it is not known or not written yet. */
  public long placeOf(long version) {
    long place = table.placeOf(version & Segment.SEQUENCE_MAX);
    return (place & PENDING) == 0 ? place : 0;
  }

  /** Whether an entry of a version is in memory. */
  public boolean hasVersion(long version) {
    return table.placeOf(version & Segment.SEQUENCE_MAX) != 0;
  }

  /**
   * Makes sure that there is memory for a version that is not there.
   *
   * @throws MemoryFullException if there is not
   */
  public void reserve(long version) {
    long number = version & Segment.SEQUENCE_MAX;
    table.add(number, PENDING, true);
    table.remove(number, PENDING);
  }

  /**
   * Notes the write of an entry in memory.
   *
   * @param versionBefore that of the entry that it replaces, 0 if there was none
   * @param place a {@link #pending} one
   * @throws MemoryFullException if there is no memory; nothing is changed then
   */
  public void written(long versionBefore, long version, long place) {
    long before = versionBefore & Segment.SEQUENCE_MAX;
    long number = version & Segment.SEQUENCE_MAX;
    long known = versionBefore == 0 ? 0 : table.placeOf(before);
    if (known != 0 && before == number) {
      table.replace(number, known, place);
      return;
    }
    table.add(number, place, true);
    if (known != 0) {
      table.remove(before, known);
    }
  }

  /** Notes the removal of an entry in memory. */
  public void removed(long version) {
    long number = version & Segment.SEQUENCE_MAX;
    long place = table.placeOf(number);
    if (place != 0) {
      table.remove(number, place);
    }
  }

  /** Notes that a record was written, if the entry still waits for it. */
  public boolean settle(long version, long recordSequence, long place) {
    return table.replace(version & Segment.SEQUENCE_MAX, pending(recordSequence), place);
  }

  /** Notes that the record of an entry was written again, if it still counts. */
  public boolean moved(int hash, long version, long from, long to) {
    return table.replace(evicted(hash), from, to)
        || table.replace(version & Segment.SEQUENCE_MAX, from, to);
  }

  /** Whether the record at a place is that of an entry. */
  public boolean isCurrent(int hash, long version, long place) {
    return isEvicted(hash, place) || placeOf(version) == place;
  }

  /**
   * Notes that an entry goes from memory.
   *
   * @return whether it may: its record is in a file
   * @throws MemoryFullException if there is no memory; nothing is changed then
   */
  public boolean tryEvict(int hash, long version) {
    long place = placeOf(version);
    if (place == 0) {
      return false;
    }
    add(hash, place);
    table.remove(version & Segment.SEQUENCE_MAX, place);
    return true;
  }

  /** Notes that an entry, which is on the disk only, comes into memory. */
  public void restored(int hash, long place, long version) {
    table.add(version & Segment.SEQUENCE_MAX, place, true);
    boolean wasThere = remove(hash, place);
    assert wasThere;
  }

  /**
   * Notes an entry that is on the disk only.
   *
   * @throws MemoryFullException if there is no memory
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // the lock is held
  public void add(int hash, long place) {
    table.add(evicted(hash), place, true);
    evictedCount++;
  }

  /** Notes that an entry, which was on the disk only, is gone; false if it was gone before. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // the lock is held
  public boolean remove(int hash, long place) {
    boolean wasThere = table.remove(evicted(hash), place);
    evictedCount -= wasThere ? 1 : 0;
    return wasThere;
  }

  /** Forgets all entries. */
  public void clear() {
    table.clear();
    evictedCount = 0;
  }

  /** Shows the entries that are on the disk only. */
  public void forEachEvicted(Visitor visitor) {
    table.forEach((number, place) -> {
      if ((number & EVICTED) != 0) {
        visitor.visit((int) number, place);
      }
    });
  }

  /** The bytes that this takes. */
  public long bytes() {
    return table.bytes();
  }

  /** Moves what is in regions of the pool that are vacated. */
  void vacate() {
    table.vacate();
  }
}
