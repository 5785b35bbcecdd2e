package dev.isogrid.store;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A piece of the operating system's memory, cut into pages. Guarded by the lock of its {@link
 * PagePool}.
 *
 * <p>Pages are runs of units, first fit from the lowest address on, found in a map of one bit a
 * unit. Packing to the front lets the regions at the end become empty.
 */
final class Region {
  /** Pages are multiples of this: a large entry wastes half of it. */
  static final int UNIT_BYTES = 256;

  /** Regions begin where lines of the processor's cache begin. */
  private static final long ALIGNMENT = 64;

  private static final VarHandle VACATING;

  static {
    try {
      VACATING = MethodHandles.lookup().findVarHandle(Region.class, "vacating", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private final int units;

  /** One bit a unit, 1 where it is taken. */
  private final long[] taken;

  private int freeUnits;

  /** No unit below this is free. */
  private int searchFrom;

  /** No free run is as long as this, or the number of units + 1. */
  private int tooLong;

  /** Whether it is for one page, with which it goes. */
  final boolean own;

  /** Read: opaque, by anyone; written: opaque, by the holder of the pool's lock. */
  @SuppressWarnings("unused") // through VACATING
  private boolean vacating;

  Region(long size, boolean own) {
    this.own = own;
    memory = arena.allocate(size, ALIGNMENT);
    units = Math.toIntExact(size / UNIT_BYTES);
    taken = new long[(units + Long.SIZE - 1) / Long.SIZE];
    freeUnits = units;
    tooLong = units + 1;
  }

  long size() {
    return memory.byteSize();
  }

  long freeBytes() {
    return (long) freeUnits * UNIT_BYTES;
  }

  /** Whether its pages are to move to other regions, so that it can be given back. */
  boolean isVacating() {
    return (boolean) VACATING.getOpaque(this);
  }

  void setVacating(boolean value) {
    VACATING.setOpaque(this, value);
  }

  boolean isEmpty() {
    return freeUnits == units;
  }

  /** A page of a number of units, or null if there is no room. */
  @Nullable Page allocate(int count) {
    if (count > freeUnits || count >= tooLong) {
      return null;
    }
    int start = nextFree(searchFrom);
    searchFrom = start;
    while (start + count <= units) {
      int end = nextTaken(start, start + count);
      if (end == start + count) {
        mark(start, count, true);
        freeUnits -= count;
        if (start == searchFrom) {
          searchFrom = end;
        }
        return new Page(this, memory, start, count);
      }
      start = nextFree(end);
    }
    tooLong = count;
    return null;
  }

  void free(Page page) {
    int count = Math.toIntExact(page.size() / UNIT_BYTES);
    int start = Math.toIntExact(page.base / UNIT_BYTES);
    mark(start, count, false);
    freeUnits += count;
    searchFrom = Math.min(searchFrom, start);
    tooLong = units + 1;
  }

  /** Gives the memory back. A read that still goes on in another thread fails. */
  void close() {
    arena.close();
  }

  /** The first free unit from one on, or the number of units. */
  private int nextFree(int from) {
    int index = from / Long.SIZE;
    long mask = -1L << from;
    for (; index < taken.length; index++) {
      long free = ~taken[index] & mask;
      if (free != 0) {
        return Math.min(index * Long.SIZE + Long.numberOfTrailingZeros(free), units);
      }
      mask = -1L;
    }
    return units;
  }

  /** The first unit that is taken from one on, or the end. */
  private int nextTaken(int from, int end) {
    int index = from / Long.SIZE;
    long mask = -1L << from;
    for (; index * Long.SIZE < end; index++) {
      long found = taken[index] & mask;
      if (found != 0) {
        return Math.min(index * Long.SIZE + Long.numberOfTrailingZeros(found), end);
      }
      mask = -1L;
    }
    return end;
  }

  private void mark(int start, int count, boolean value) {
    int end = start + count;
    for (int at = start; at < end; ) {
      int index = at / Long.SIZE;
      int until = Math.min(end, (index + 1) * Long.SIZE);
      long bits = (-1L >>> (Long.SIZE - until + at)) << at;
      assert (taken[index] & bits) == (value ? 0 : bits) : "units " + at + " to " + until;
      taken[index] ^= bits;
      at = until;
    }
  }
}
