package dev.isogrid.store;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The index of an off-heap segment: from tags to addresses. A directory of {@link SlotBlock}s, by
 * the upper bits of the tag; a block that gets full grows by about an eighth, and a large one is
 * split into two. See {@link OffHeapSegment} for the picture and the concurrency.
 */
final class SlotIndex {
  private static final int CAPACITY_MIN = 32;
  private static final int CAPACITY_STEP_MIN = 32;

  /** Rebuilding a block of this size takes about 30 microseconds. */
  private static final int CAPACITY_SPLIT = 16 * SlotBlock.CHUNK_SLOTS;

  /** Tags have 12 more bits to tell the entries of a block apart. */
  private static final int DEPTH_MAX = 12;

  /** The highest load is 23 / 25 of the slots: a hit then looks at 7 on average, in one line. */
  private static final int LOAD_NUMERATOR = 23;

  private static final int LOAD_DENOMINATOR = 25;

  private final Segment<?, ?> owner;
  private final PagePool pool;
  private final SlotBlock none;

  /** Written by the lock's holder in a stamped section. */
  private SlotBlock[] directory;

  private int depth;
  private long bytes;

  /**
   * Begins without entries.
   *
   * @param owner the segment whose readers are told of what moves
   */
  SlotIndex(Segment<?, ?> owner, PagePool pool) {
    this.owner = owner;
    this.pool = pool;
    this.none = SlotBlock.of(pool, 0, 0, false);
    this.directory = new SlotBlock[] {none};
  }

  /** The block of a tag. Any thread. */
  SlotBlock block(int tag) {
    SlotBlock[] seen = directory;
    // the directory's own length tells its depth, so that both are of one moment
    return seen[tag >>> (SlotBlock.TAG_BITS - Integer.numberOfTrailingZeros(seen.length))];
  }

  /** The first tag behind those of a block that a tag belongs to. */
  static int endOfBlock(SlotBlock block, int tag) {
    int tags = SlotBlock.TAG_COUNT >>> block.depth;
    return (tag & -tags) + tags;
  }

  /** The memory of all blocks. */
  long bytes() {
    return bytes;
  }

  /** Whether a block takes one more entry as it is. */
  boolean hasRoom(SlotBlock block) {
    return (block.count + 1L) * LOAD_DENOMINATOR <= (long) block.capacity * LOAD_NUMERATOR;
  }

  /**
   * Replaces the block of a tag by a larger one, or two.
   *
   * @throws MemoryFullException if there is no memory; nothing is changed then
   */
  void grow(int tag) {
    SlotBlock block = block(tag);
    if (block == none) {
      replace(tag, block, SlotBlock.of(pool, 0, CAPACITY_MIN, false));
      return;
    }
    int capacity = grownCapacity(block.capacity);
    if (capacity > CAPACITY_SPLIT && block.depth < DEPTH_MAX) {
      split(tag, block);
    } else {
      replace(tag, block, rebuilt(block, capacity, false));
    }
  }

  private static int grownCapacity(int capacity) {
    int chunk = SlotBlock.CHUNK_SLOTS;
    if (capacity < chunk) {
      int step = Math.max(CAPACITY_STEP_MIN, capacity / 4 & -CAPACITY_STEP_MIN);
      return Math.min(capacity + step, chunk);
    }
    return capacity + Math.max(chunk, capacity / 8 + chunk / 2 & -chunk);
  }

  /** The smallest capacity for a number of entries that has some room left. */
  private static int capacityFor(int count) {
    long slots = (count + count / 16 + 1L) * LOAD_DENOMINATOR / LOAD_NUMERATOR + 1;
    int unit = slots <= SlotBlock.CHUNK_SLOTS ? CAPACITY_MIN : SlotBlock.CHUNK_SLOTS;
    return Math.toIntExact((slots + unit - 1) / unit * unit);
  }

  private SlotBlock rebuilt(SlotBlock block, int capacity, boolean forCompaction) {
    for (int size = capacity; ; size = grownCapacity(size)) {
      SlotBlock made = SlotBlock.of(pool, block.depth, size, forCompaction);
      if (fill(made, block, 0, SlotBlock.TAG_COUNT)) {
        return made;
      }
      made.free(pool);
    }
  }

  /** Copies the slots of some tags; false if they don't fit. */
  private static boolean fill(SlotBlock target, SlotBlock source, int fromTag, int endTag) {
    int after = 0;
    for (int position = 0; position < source.capacity; position++) {
      long slot = source.get(position);
      if (slot != 0 && SlotBlock.tag(slot) >= fromTag && SlotBlock.tag(slot) < endTag) {
        if (!target.append(slot, after)) {
          return false;
        }
        after = Math.max(target.home(SlotBlock.tag(slot)), after) + 1;
      }
    }
    return true;
  }

  private void split(int tag, SlotBlock block) {
    int tags = SlotBlock.TAG_COUNT >>> block.depth;
    int first = tag & -tags;
    int middle = first + tags / 2;
    SlotBlock low = half(block, first, middle);
    SlotBlock high;
    try {
      high = half(block, middle, first + tags);
    } catch (MemoryFullException e) {
      low.free(pool);
      throw e;
    }
    SlotBlock[] target = directory;
    if (block.depth == depth) {
      target = new SlotBlock[directory.length * 2];
      for (int i = 0; i < target.length; i++) {
        target[i] = directory[i / 2];
      }
      depth++;
    }
    owner.beginMoves();
    put(target, first, low);
    put(target, middle, high);
    directory = target;
    owner.endMoves();
    changeBytes(low.bytes() + high.bytes() - block.bytes());
    block.free(pool);
  }

  private SlotBlock half(SlotBlock block, int fromTag, int endTag) {
    int[] count = {0};
    forEach(
        block,
        slot -> count[0] += SlotBlock.tag(slot) >= fromTag && SlotBlock.tag(slot) < endTag ? 1 : 0);
    for (int size = capacityFor(count[0]); ; size = grownCapacity(size)) {
      SlotBlock made = SlotBlock.of(pool, block.depth + 1, size, false);
      if (fill(made, block, fromTag, endTag)) {
        return made;
      }
      made.free(pool);
    }
  }

  private void replace(int tag, SlotBlock block, SlotBlock by) {
    owner.beginMoves();
    put(directory, tag, by);
    owner.endMoves();
    changeBytes(by.bytes() - block.bytes());
    block.free(pool);
  }

  /** Puts a block at all places of the directory that its tags belong to. */
  private static void put(SlotBlock[] directory, int tag, SlotBlock block) {
    int tags = SlotBlock.TAG_COUNT >>> block.depth;
    int places = directory.length >>> block.depth;
    int first = (tag & -tags) / (SlotBlock.TAG_COUNT / directory.length);
    Arrays.fill(directory, first, first + places, block);
  }

  /** Whether a block has so few entries that a smaller one is worth making. */
  boolean isSparse(SlotBlock block) {
    return block.capacity > CAPACITY_MIN && block.count < block.capacity / 2;
  }

  /**
   * Replaces the block of a tag by a smaller one.
   *
   * @throws MemoryFullException if there is no memory; nothing is changed then
   */
  void shrink(int tag) {
    SlotBlock block = block(tag);
    int capacity = capacityFor(block.count);
    if (capacity < block.capacity) {
      replace(tag, block, rebuilt(block, capacity, true));
    }
  }

  /**
   * Moves the block of a tag out of regions that are vacated.
   *
   * @return the tag to go on with, {@link SlotBlock#TAG_COUNT} at the end
   */
  int vacate(int tag) {
    SlotBlock block = block(tag);
    block.vacate(pool, owner);
    return endOfBlock(block, tag);
  }

  /** Forgets all slots. */
  void clear() {
    SlotBlock[] old = directory;
    owner.beginMoves();
    directory = new SlotBlock[] {none};
    owner.endMoves();
    depth = 0;
    changeBytes(-bytes);
    SlotBlock freed = none;
    for (SlotBlock block : old) {
      if (block != freed) {
        block.free(pool);
        freed = block;
      }
    }
  }

  private void changeBytes(long delta) {
    bytes += delta;
    owner.occupancy.bytesChanged(delta);
  }

  /** All slots in the order of their tags. */
  void forEachSlot(LongConsumer consumer) {
    forEachBlock(block -> forEach(block, consumer));
  }

  private static void forEach(SlotBlock block, LongConsumer consumer) {
    for (int position = 0; position < block.capacity; position++) {
      long slot = block.get(position);
      if (slot != 0) {
        consumer.accept(slot);
      }
    }
  }

  /** All blocks in the order of their tags. */
  void forEachBlock(Consumer<SlotBlock> consumer) {
    for (int tag = 0; tag < SlotBlock.TAG_COUNT; ) {
      SlotBlock block = block(tag);
      consumer.accept(block);
      tag = endOfBlock(block, tag);
    }
  }
}
