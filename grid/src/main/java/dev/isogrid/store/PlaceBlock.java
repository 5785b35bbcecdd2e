package dev.isogrid.store;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a {@link PlaceTable}: slots in the order of their keys, with gaps. Guarded by the lock
 * of the table's segment.
 */
final class PlaceBlock {
  /*
   * A slot has 12 bytes:
   *
   *   bits  0 to 55   the place, never 0
   *   bits 56 to 95   the key
   */
  /** The bits of a key. */
  static final int KEY_BITS = 40;

  static final long KEY_MASK = (1L << KEY_BITS) - 1;

  /** The bits of a place. */
  static final int PLACE_BITS = 56;

  static final long PLACE_MASK = (1L << PLACE_BITS) - 1;

  /** Slots of a full chunk; larger blocks consist of several, so that all memory is alike. */
  static final int CHUNK_SLOTS = 512;

  private static final int SLOT_BYTES = Long.BYTES + Integer.BYTES;
  private static final int CHUNK_SHIFT = 9;
  private static final int CHUNK_MASK = CHUNK_SLOTS - 1;

  /** The bits of a key that are in the same word as the place. */
  private static final int LOW_KEY_BITS = Long.SIZE - PLACE_BITS;

  /** One of so many slots is behind the last home, for runs that go beyond it. */
  private static final int SPARE_FRACTION = 32;

  private static final int SPARE_MIN = 4;

  /** The upper bits of the keys that choose the block. */
  final int depth;

  final int capacity;
  private final int homes;
  private final MemorySegment[] memory;
  private final long[] bases;

  /** Where the memory comes from; empty on the heap. */
  private final List<Page> pages;

  int count;

  private PlaceBlock(int depth, int capacity, List<Page> pages) {
    this.depth = depth;
    this.capacity = capacity;
    this.homes = Math.max(0, capacity - Math.max(SPARE_MIN, capacity / SPARE_FRACTION));
    this.pages = pages;
    this.memory = new MemorySegment[(capacity + CHUNK_MASK) >>> CHUNK_SHIFT];
    this.bases = new long[memory.length];
  }

  /**
   * A new block without entries.
   *
   * @param pool where the memory comes from; null for the heap
   * @param capacity slots; up to one chunk any multiple of 32, then whole chunks
   * @throws MemoryFullException if there is no memory for it
   */
  static PlaceBlock of(@Nullable PagePool pool, int depth, int capacity, boolean fromReserve) {
    PlaceBlock made = new PlaceBlock(depth, capacity, new ArrayList<>());
    for (int chunk = 0; chunk < made.memory.length; chunk++) {
      int slots = Math.min(capacity - chunk * CHUNK_SLOTS, CHUNK_SLOTS);
      if (pool == null) {
        made.memory[chunk] = MemorySegment.ofArray(new byte[slots * SLOT_BYTES]);
      } else {
        made.allocate(pool, chunk, slots, fromReserve);
      }
    }
    return made;
  }

  private void allocate(PagePool pool, int chunk, int slots, boolean fromReserve) {
    Page page;
    try {
      page = pool.allocate((long) slots * SLOT_BYTES, fromReserve);
    } catch (MemoryFullException full) {
      free(pool);
      throw full;
    }
    page.clear();
    pages.add(page);
    memory[chunk] = page.memory;
    bases[chunk] = page.base;
  }

  /** Gives the memory back. */
  void free(@Nullable PagePool pool) {
    if (pool != null) {
      pages.forEach(pool::free);
    }
  }

  /** Moves chunks out of regions that are vacated. */
  void vacate(PagePool pool) {
    for (int i = 0; i < pages.size(); i++) {
      Page page = pages.get(i);
      Page moved = page.region.isVacating() ? pool.moved(page) : null;
      if (moved != null) {
        pages.set(i, moved);
        memory[i] = moved.memory;
        bases[i] = moved.base;
        pool.free(page);
      }
    }
  }

  long bytes() {
    long bytes = 0;
    for (Page page : pages) {
      bytes += page.size();
    }
    return pages.isEmpty() ? (long) capacity * SLOT_BYTES : bytes;
  }

  private long at(int position) {
    return bases[position >>> CHUNK_SHIFT] + (long) (position & CHUNK_MASK) * SLOT_BYTES;
  }

  private long word(int position) {
    return memory[position >>> CHUNK_SHIFT].get(Native.LITTLE_LONG, at(position));
  }

  /** Whether there is an entry at a position. */
  boolean isTaken(int position) {
    return word(position) != 0;
  }

  /** The place at a position, 0 if nothing is there. */
  long place(int position) {
    return word(position) & PLACE_MASK;
  }

  /** The key at a position where something is. */
  long key(int position) {
    long upper = memory[position >>> CHUNK_SHIFT].get(Native.LITTLE_INT, at(position) + Long.BYTES);
    return (upper & 0xFFFF_FFFFL) << LOW_KEY_BITS | word(position) >>> PLACE_BITS;
  }

  /** Replaces the place at a position. */
  void setPlace(int position, long place) {
    set(position, key(position), place);
  }

  private void set(int position, long key, long place) {
    MemorySegment chunk = memory[position >>> CHUNK_SHIFT];
    long at = at(position);
    chunk.set(Native.LITTLE_INT, at + Long.BYTES, (int) (key >>> LOW_KEY_BITS));
    chunk.set(Native.LITTLE_LONG, at, place | key << PLACE_BITS);
  }

  private void move(int from, int to) {
    set(to, key(from), place(from));
  }

  private int home(long key) {
    long rest = key << depth & KEY_MASK;
    return (int) ((rest * homes) >>> KEY_BITS);
  }

  /** The position of the first entry of a key, or the one where it would be. */
  int firstOf(long key) {
    int position = home(key);
    while (position < capacity && isTaken(position) && key(position) < key) {
      position++;
    }
    return position;
  }

  /** Whether an entry of a key is at a position. */
  boolean isAt(int position, long key) {
    return position < capacity && isTaken(position) && key(position) == key;
  }

  /** Adds an entry; false if there is no room behind its home. */
  boolean insert(long key, long place) {
    int position = firstOf(key);
    int free = position;
    while (free < capacity && isTaken(free)) {
      free++;
    }
    if (free >= capacity) {
      return false;
    }
    for (int to = free; to > position; to--) {
      move(to - 1, to);
    }
    set(position, key, place);
    count++;
    return true;
  }

  /** Removes the entry at a position. */
  void remove(int position) {
    int hole = position;
    while (hole + 1 < capacity && isTaken(hole + 1) && home(key(hole + 1)) <= hole) {
      move(hole + 1, hole);
      hole++;
    }
    memory[hole >>> CHUNK_SHIFT].set(Native.LITTLE_LONG, at(hole), 0);
    count--;
  }

  /** Copies the entries of some keys to a block; false if they don't fit. */
  boolean copyTo(PlaceBlock target, long fromKey, long endKey) {
    for (int position = 0; position < capacity; position++) {
      if (isTaken(position)) {
        long key = key(position);
        if (key >= fromKey && key < endKey && !target.append(key, place(position))) {
          return false;
        }
      }
    }
    return true;
  }

  /** The position behind the last entry that was appended. */
  private int end;

  private boolean append(long key, long place) {
    int position = Math.max(home(key), end);
    if (position >= capacity) {
      return false;
    }
    set(position, key, place);
    end = position + 1;
    count++;
    return true;
  }

  /** The number of entries of some keys. */
  int countOf(long fromKey, long endKey) {
    int found = 0;
    for (int position = 0; position < capacity; position++) {
      found += isTaken(position) && key(position) >= fromKey && key(position) < endKey ? 1 : 0;
    }
    return found;
  }
}
