package dev.isogrid.store;

import java.lang.foreign.MemorySegment;

/**
 * A part of the index of an off-heap segment: slots in the order of their tags, with gaps. See
 * {@link OffHeapSegment} for the picture. Its writers hold the segment's lock; its readers validate
 * what they saw by the segment's stamp.
 */
final class SlotBlock {
  /*
   * A slot has 7 bytes, or 6 where the block's addresses are short:
   *
   *   wide      [ tag 24         | address 32         ]
   *   narrow    [ tag 24 - depth | address 24 + depth ]    without the bits that chose the block
   *
   * All methods speak of slots in the wide form. An index that grows splits its blocks, and each
   * split leaves a bit more to addresses, as they get longer: so narrow slots last while pages have
   * up to 2 kB per entry, about. A block is narrow or wide for its life.
   */

  /** The bits of a tag. */
  static final int TAG_BITS = 24;

  static final int TAG_COUNT = 1 << TAG_BITS;

  /** The bits of an address. */
  static final int ADDRESS_BITS = 32;

  static final long ADDRESS_MASK = (1L << ADDRESS_BITS) - 1;

  /** Slots of a full chunk; larger blocks consist of several, so that all memory is alike. */
  static final int CHUNK_SLOTS = 512;

  /** The bytes of a wide slot: those of tag and address. */
  private static final int WIDE_BYTES = (TAG_BITS + ADDRESS_BITS) / Byte.SIZE;

  private static final int NARROW_BYTES = WIDE_BYTES - 1;

  /** The bits of an address in a narrow slot of a block that no bit of a tag has chosen. */
  private static final int NARROW_ADDRESS_BITS = ADDRESS_BITS - Byte.SIZE;

  private static final int CHUNK_SHIFT = 9;
  private static final int CHUNK_MASK = CHUNK_SLOTS - 1;

  /** One of so many slots is behind the last home, for runs that go beyond it. */
  private static final int SPARE_FRACTION = 32;

  private static final int SPARE_MIN = 4;

  /** How many upper bits of the tags choose the block. */
  final int depth;

  /** The first tag of the block; the bits that a narrow slot leaves out. */
  private final int firstTag;

  private final int slotBytes;
  private final int addressBits;

  final int capacity;

  /** The slots that tags can belong to. */
  private final int homes;

  /** Elements read: plain, validated by the stamp; written: in a stamped section. */
  private final Page[] chunks;

  /** Guarded by the segment's lock. */
  int count;

  private SlotBlock(Shape shape, Page[] chunks) {
    this.depth = shape.depth;
    this.firstTag = shape.isNarrow ? shape.firstTag : 0;
    this.slotBytes = shape.slotBytes();
    this.addressBits = shape.isNarrow ? narrowAddressBits(depth) : ADDRESS_BITS;
    this.capacity = shape.capacity;
    this.homes = Math.max(0, capacity - Math.max(SPARE_MIN, capacity / SPARE_FRACTION));
    this.chunks = chunks;
  }

  /**
   * What a block is made for.
   *
   * @param depth how many upper bits of the tags choose the block
   * @param firstTag the lowest tag of the block
   * @param capacity slots; up to one chunk any multiple of 32, then of 256
   * @param isNarrow whether its slots have 6 bytes and take short addresses only
   */
  record Shape(int depth, int firstTag, int capacity, boolean isNarrow) {
    private int slotBytes() {
      return isNarrow ? NARROW_BYTES : WIDE_BYTES;
    }

    Shape ofCapacity(int changed) {
      return new Shape(depth, firstTag, changed, isNarrow);
    }
  }

  private static int narrowAddressBits(int depth) {
    return NARROW_ADDRESS_BITS + depth;
  }

  /** Whether narrow slots take all addresses below one. */
  static boolean areShort(long addressEnd, int depth) {
    return addressEnd <= 1L << narrowAddressBits(depth);
  }

  /**
   * A new block without entries.
   *
   * @throws MemoryFullException if there is no memory for it
   */
  static SlotBlock of(PagePool pool, Shape shape, boolean forCompaction) {
    int capacity = shape.capacity;
    Page[] chunks = new Page[(capacity + CHUNK_MASK) >>> CHUNK_SHIFT];
    int made = 0;
    try {
      for (; made < chunks.length; made++) {
        int slots = Math.min(capacity - made * CHUNK_SLOTS, CHUNK_SLOTS);
        chunks[made] = pool.allocate((long) slots * shape.slotBytes(), forCompaction);
        chunks[made].clear();
      }
    } finally {
      if (made < chunks.length) {
        for (int i = 0; i < made; i++) {
          pool.free(chunks[i]);
        }
      }
    }
    return new SlotBlock(shape, chunks);
  }

  /** Whether an address fits into its slots. */
  boolean takes(long address) {
    return address >>> addressBits == 0;
  }

  /** A slot of a tag and an address other than 0. */
  static long slot(int tag, long address) {
    return (long) tag << ADDRESS_BITS | address;
  }

  static int tag(long slot) {
    return (int) (slot >>> ADDRESS_BITS);
  }

  static long address(long slot) {
    return slot & ADDRESS_MASK;
  }

  long bytes() {
    long bytes = 0;
    for (Page chunk : chunks) {
      bytes += chunk.size();
    }
    return bytes;
  }

  /** Gives the memory back; readers may still look into it, and will notice. */
  void free(PagePool pool) {
    for (Page chunk : chunks) {
      pool.free(chunk);
    }
  }

  /** Moves chunks out of regions that are vacated. */
  void vacate(PagePool pool, Segment<?, ?> owner) {
    for (int i = 0; i < chunks.length; i++) {
      Page chunk = chunks[i];
      Page moved = chunk.region.isVacating() ? pool.moved(chunk) : null;
      if (moved != null) {
        owner.beginMoves();
        chunks[i] = moved;
        owner.endMoves();
        pool.free(chunk);
      }
    }
  }

  /** Where the slots of a tag begin if nothing is in the way. */
  int home(int tag) {
    long rest = ((long) tag << depth) & (TAG_COUNT - 1);
    return (int) ((rest * homes) >>> TAG_BITS);
  }

  /** What is at a position: 0 if nothing. */
  long get(int position) {
    Page chunk = chunks[position >>> CHUNK_SHIFT];
    int inChunk = position & CHUNK_MASK;
    int unused = Long.BYTES - slotBytes;
    int unusedBits = unused * Byte.SIZE;
    // 8 bytes, of which those before the slot are dropped, or those behind the first one
    long kept =
        inChunk == 0
            ? chunk.memory.get(Native.LITTLE_LONG, chunk.base) & (-1L >>> unusedBits)
            : chunk.memory.get(Native.LITTLE_LONG, chunk.base + (long) inChunk * slotBytes - unused)
                >>> unusedBits;
    return kept == 0
        ? 0
        : slot((int) (kept >>> addressBits) | firstTag, kept & ((1L << addressBits) - 1));
  }

  /** A part of what is where the slots of a tag begin; 0 if there are none. */
  int peekHome(int tag) {
    int position = home(tag);
    if (position >= capacity) {
      return 0;
    }
    Page chunk = chunks[position >>> CHUNK_SHIFT];
    long at = chunk.base + (long) (position & CHUNK_MASK) * slotBytes;
    return chunk.memory.get(Native.LITTLE_INT, at);
  }

  /** Replaces what is at a position; the block {@link #takes} the address. */
  void set(int position, long slot) {
    assert takes(address(slot));
    Page chunk = chunks[position >>> CHUNK_SHIFT];
    long at = chunk.base + (long) (position & CHUNK_MASK) * slotBytes;
    long kept = (long) (tag(slot) - (slot == 0 ? 0 : firstTag)) << addressBits | address(slot);
    int upper = slotBytes - Integer.BYTES;
    int lowerBits = upper * Byte.SIZE;
    chunk.memory.set(Native.LITTLE_INT, at, (int) kept);
    chunk.memory.set(Native.LITTLE_INT, at + upper, (int) (kept >>> lowerBits));
  }

  /** The first position whose slot is empty or not below a tag. */
  int firstOf(int tag) {
    int position = home(tag);
    int upperOffset = slotBytes - Integer.BYTES;
    int belowTag = addressBits - upperOffset * Byte.SIZE;
    int keptTag = tag - firstTag;
    while (position < capacity) {
      Page chunk = chunks[position >>> CHUNK_SHIFT];
      MemorySegment memory = chunk.memory;
      int end = Math.min(capacity, (position | CHUNK_MASK) + 1);
      long upper = chunk.base + (long) (position & CHUNK_MASK) * slotBytes + upperOffset;
      for (; position < end; position++) {
        int seen = memory.get(Native.LITTLE_INT, upper); // the tag, above a part of the address
        if (seen >>> belowTag >= keptTag || (seen == 0 && get(position) == 0)) {
          return position;
        }
        upper += slotBytes;
      }
    }
    return position;
  }

  /**
   * Adds a slot behind those of lower and equal tags.
   *
   * @return its position, or -1 if there is no room behind the last home
   */
  int insert(long slot) {
    int tag = tag(slot);
    int position = home(tag);
    long seen;
    while (position < capacity && (seen = get(position)) != 0 && tag(seen) <= tag) {
      position++;
    }
    int end = position;
    while (end < capacity && get(end) != 0) {
      end++;
    }
    if (end == capacity) {
      return -1;
    }
    shiftUp(position, end);
    set(position, slot);
    count++;
    return position;
  }

  /** Adds a slot whose tag is not below those of all others; used to fill a new block. */
  boolean append(long slot, int after) {
    int position = Math.max(home(tag(slot)), after);
    if (position >= capacity) {
      return false;
    }
    set(position, slot);
    count++;
    return true;
  }

  /** Removes the slot at a position; those behind it that are not at home move down. */
  void remove(int position) {
    int end = position + 1;
    long seen;
    while (end < capacity && (seen = get(end)) != 0 && home(tag(seen)) < end) {
      end++;
    }
    shiftDown(position + 1, end);
    set(end - 1, 0);
    count--;
  }

  private void shiftUp(int from, int end) {
    int to = end;
    while (to > from) {
      int inChunk = to & CHUNK_MASK;
      if (inChunk == 0) {
        set(to, get(to - 1));
        to--;
      } else {
        int low = Math.max(from, to - inChunk);
        Page chunk = chunks[to >>> CHUNK_SHIFT];
        long offset = chunk.base + (long) (low & CHUNK_MASK) * slotBytes;
        long length = (long) (to - low) * slotBytes;
        MemorySegment.copy(chunk.memory, offset, chunk.memory, offset + slotBytes, length);
        to = low;
      }
    }
  }

  private void shiftDown(int from, int end) {
    int next = from;
    while (next < end) {
      int inChunk = next & CHUNK_MASK;
      if (inChunk == 0) {
        set(next - 1, get(next));
        next++;
      } else {
        int high = Math.min(end, next - inChunk + CHUNK_SLOTS);
        Page chunk = chunks[next >>> CHUNK_SHIFT];
        long offset = chunk.base + (long) inChunk * slotBytes;
        long length = (long) (high - next) * slotBytes;
        MemorySegment.copy(chunk.memory, offset, chunk.memory, offset - slotBytes, length);
        next = high;
      }
    }
  }
}
