package dev.isogrid.store;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A table from numbers of 40 bits to places, in which a number may be several times. Guarded by the
 * lock of a segment, but for {@link #mayHave}.
 */
final class PlaceTable {
  /*
   * A directory of blocks, by the upper bits of the key, as in SlotIndex. A block that gets full
   * grows by about an eighth, and a large one is split into two, so a write moves a bounded number
   * of slots. The keys are the numbers times an odd constant: this spreads sequences and hashes
   * over the table, and can be undone.
   *
   * Costs: 12 bytes per slot at a load of 0.8 to 0.92, so 13 to 15 bytes per entry.
   */
  private static final int CAPACITY_MIN = 32;

  /** Rebuilding a block of this size takes some 50 microseconds. */
  private static final int CAPACITY_SPLIT = 16 * PlaceBlock.CHUNK_SLOTS;

  /** More than 500 million entries of a segment. */
  private static final int DEPTH_MAX = 16;

  /** The highest load is 23 / 25 of the slots: a search then looks at 7 on average. */
  private static final int LOAD_NUMERATOR = 23;

  private static final int LOAD_DENOMINATOR = 25;

  /** The golden ratio's fraction in 40 bits, made odd. */
  private static final long SPREAD = 0x9E37_79B9_7FL;

  private static final long GATHER = inverse(SPREAD);

  private static final long KEYS = 1L << PlaceBlock.KEY_BITS;

  private final @Nullable PagePool pool;
  private final PlaceBlock none = PlaceBlock.of(null, 0, 0, false);

  /** Read plainly by {@link #mayHave}, which may be wrong. */
  private PlaceBlock[] directory = {none};

  private int depth;

  PlaceTable(@Nullable PagePool pool) {
    this.pool = pool;
  }

  /** Takes what an entry of a {@link PlaceTable} is. */
  @FunctionalInterface
  interface Visitor {
    /** Takes an entry. */
    void visit(long number, long place);
  }

  private static long inverse(long odd) {
    long inverse = odd;
    for (int bits = 3; bits < PlaceBlock.KEY_BITS; bits *= 2) { // Newton's iteration
      inverse *= 2 - odd * inverse;
    }
    return inverse & PlaceBlock.KEY_MASK;
  }

  private static long key(long number) {
    return number * SPREAD & PlaceBlock.KEY_MASK;
  }

  private static long number(long key) {
    return key * GATHER & PlaceBlock.KEY_MASK;
  }

  private PlaceBlock block(long key) {
    PlaceBlock[] seen = directory;
    return seen[(int) (key >>> (PlaceBlock.KEY_BITS - Integer.numberOfTrailingZeros(seen.length)))];
  }

  /** Whether there may be an entry of a number. Any thread: wrong if it is changed meanwhile. */
  boolean mayHave(long number) {
    long key = key(number);
    try {
      PlaceBlock block = block(key);
      return block.isAt(block.firstOf(key), key);
    } catch (RuntimeException _) {
      return true; // the memory is another one by now
    }
  }

  /** The places of a number, or no one. */
  long[] placesOf(long number) {
    long key = key(number);
    PlaceBlock block = block(key);
    long[] found = {};
    for (int at = block.firstOf(key); block.isAt(at, key); at++) {
      found = Arrays.copyOf(found, found.length + 1);
      found[found.length - 1] = block.place(at);
    }
    return found;
  }

  /** The first place of a number, 0 if there is none. */
  long placeOf(long number) {
    long key = key(number);
    PlaceBlock block = block(key);
    int at = block.firstOf(key);
    return block.isAt(at, key) ? block.place(at) : 0;
  }

  /** Replaces a place of a number; false if it is not there. */
  boolean replace(long number, long place, long by) {
    long key = key(number);
    PlaceBlock block = block(key);
    int at = position(block, key, place);
    if (at >= 0) {
      block.setPlace(at, by);
    }
    return at >= 0;
  }

  private static int position(PlaceBlock block, long key, long place) {
    for (int at = block.firstOf(key); block.isAt(at, key); at++) {
      if (block.place(at) == place) {
        return at;
      }
    }
    return -1;
  }

  /** Removes a place of a number; false if it is not there. */
  boolean remove(long number, long place) {
    long key = key(number);
    PlaceBlock block = block(key);
    int at = position(block, key, place);
    if (at < 0) {
      return false;
    }
    block.remove(at);
    if (block.capacity > CAPACITY_MIN && block.count < block.capacity / 2) {
      shrink(key, block);
    }
    return true;
  }

  /**
   * Adds a place of a number.
   *
   * @param fromReserve whether memory may be taken that is held back for what frees other memory
   * @throws MemoryFullException if there is no memory; nothing is changed then
   */
  void add(long number, long place, boolean fromReserve) {
    long key = key(number);
    while (true) {
      PlaceBlock block = block(key);
      if (hasRoom(block) && block.insert(key, place)) {
        return;
      }
      grow(key, block, fromReserve);
    }
  }

  private static boolean hasRoom(PlaceBlock block) {
    return (block.count + 1L) * LOAD_DENOMINATOR <= (long) block.capacity * LOAD_NUMERATOR;
  }

  private void grow(long key, PlaceBlock block, boolean fromReserve) {
    int capacity = grownCapacity(block.capacity);
    if (capacity > CAPACITY_SPLIT && block.depth < DEPTH_MAX) {
      split(key, block, fromReserve);
    } else {
      replace(key, block, copied(block, block.depth, 0, KEYS, capacity, fromReserve));
    }
  }

  private static int grownCapacity(int capacity) {
    int chunk = PlaceBlock.CHUNK_SLOTS;
    if (capacity < chunk) {
      int step = Math.max(CAPACITY_MIN, capacity / 8 & -CAPACITY_MIN);
      return Math.min(capacity + step, chunk);
    }
    return capacity + Math.max(chunk, capacity / 8 & -chunk);
  }

  /** The smallest capacity for a number of entries that has some room left. */
  private static int capacityFor(int count) {
    long slots = (count + count / 16 + 1L) * LOAD_DENOMINATOR / LOAD_NUMERATOR + 1;
    int unit = slots <= PlaceBlock.CHUNK_SLOTS ? CAPACITY_MIN : PlaceBlock.CHUNK_SLOTS;
    return Math.toIntExact((slots + unit - 1) / unit * unit);
  }

  // tidy: what a block is made of
  private PlaceBlock copied(
      PlaceBlock block, int depth, long from, long end, int capacity, boolean fromReserve) {
    for (int size = capacity; ; size = grownCapacity(size)) {
      PlaceBlock made = PlaceBlock.of(pool, depth, size, fromReserve);
      if (block.copyTo(made, from, end)) {
        return made;
      }
      made.free(pool);
    }
  }

  private void split(long key, PlaceBlock block, boolean fromReserve) {
    long keys = KEYS >>> block.depth;
    long first = key & -keys;
    long middle = first + keys / 2;
    PlaceBlock low = half(block, first, middle, fromReserve);
    PlaceBlock high;
    try {
      high = half(block, middle, first + keys, fromReserve);
    } catch (MemoryFullException full) {
      low.free(pool);
      throw full;
    }
    PlaceBlock[] target = directory;
    if (block.depth == depth) {
      target = new PlaceBlock[directory.length * 2];
      for (int i = 0; i < target.length; i++) {
        target[i] = directory[i / 2];
      }
      depth++;
    }
    put(target, first, low);
    put(target, middle, high);
    directory = target;
    block.free(pool);
  }

  private PlaceBlock half(PlaceBlock block, long from, long end, boolean fromReserve) {
    int capacity = capacityFor(block.countOf(from, end));
    return copied(block, block.depth + 1, from, end, capacity, fromReserve);
  }

  private void shrink(long key, PlaceBlock block) {
    int capacity = capacityFor(block.count);
    if (capacity < block.capacity) {
      try {
        replace(key, block, copied(block, block.depth, 0, KEYS, capacity, true));
      } catch (MemoryFullException _) {
        // it stays as large as it is
      }
    }
  }

  private void replace(long key, PlaceBlock block, PlaceBlock by) {
    put(directory, key, by);
    block.free(pool);
  }

  /** Puts a block at all places of the directory that its keys belong to. */
  private static void put(PlaceBlock[] directory, long key, PlaceBlock block) {
    long keys = KEYS >>> block.depth;
    int places = directory.length >>> block.depth;
    int first = (int) ((key & -keys) / (KEYS / directory.length));
    Arrays.fill(directory, first, first + places, block);
  }

  /** Forgets all entries. */
  void clear() {
    forEachBlock(block -> block.free(pool));
    directory = new PlaceBlock[] {none};
    depth = 0;
  }

  /** Moves what is in regions of the pool that are vacated. */
  void vacate() {
    PagePool known = pool;
    if (known != null) {
      forEachBlock(block -> block.vacate(known));
    }
  }

  /** The bytes of all blocks. */
  long bytes() {
    long[] bytes = {0};
    forEachBlock(block -> bytes[0] += block.bytes());
    return bytes[0];
  }

  /** Shows all entries. */
  void forEach(Visitor visitor) {
    forEachBlock(block -> {
      for (int at = 0; at < block.capacity; at++) {
        if (block.isTaken(at)) {
          visitor.visit(number(block.key(at)), block.place(at));
        }
      }
    });
  }

  private void forEachBlock(Consumer<PlaceBlock> consumer) {
    PlaceBlock before = null;
    for (PlaceBlock block : directory) {
      if (before == null || !before.equals(block)) {
        consumer.accept(block);
      }
      before = block;
    }
  }
}
