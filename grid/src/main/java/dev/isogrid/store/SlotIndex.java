package dev.isogrid.store;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The index of an off-heap segment: from tags to addresses. A directory of {@link SlotBlock}s, by
 * the upper bits of the tag; a block that gets full grows by about a sixteenth, and a large one is
 * split into two. See {@link OffHeapSegment} for the picture and the concurrency.
 *
 * <p>Methods that make blocks take the end of all addresses in use, by which they choose the width
 * of slots.
 */
final class SlotIndex {
  private static final int CAPACITY_MIN = 32;
  private static final int CAPACITY_STEP_MIN = 32;

  /** Blocks of several chunks grow by this part, in halves of chunks. */
  private static final int GROWTH_FRACTION = 16;

  private static final int GROWTH_UNIT = SlotBlock.CHUNK_SLOTS / 2;

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
    this.none = SlotBlock.of(pool, new SlotBlock.Shape(0, 0, 0, true), false);
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
  void grow(int tag, long addressEnd) {
    SlotBlock block = block(tag);
    if (block == none) {
      SlotBlock.Shape shape = shape(0, tag, addressEnd).ofCapacity(CAPACITY_MIN);
      replace(tag, block, SlotBlock.of(pool, shape, false));
      return;
    }
    int capacity = grownCapacity(block.capacity);
    if (capacity > CAPACITY_SPLIT && block.depth < DEPTH_MAX) {
      split(tag, block, addressEnd);
    } else {
      SlotBlock.Shape shape = shape(block.depth, tag, addressEnd);
      replace(tag, block, rebuilt(block, shape.ofCapacity(capacity), false));
    }
  }

  /**
   * Replaces the block of a tag by one that takes longer addresses, if it does not take one.
   *
   * @throws MemoryFullException if there is no memory; nothing is changed then
   */
  void widenFor(long address, int tag, boolean forCompaction) {
    SlotBlock block = block(tag);
    if (!block.takes(address)) {
      SlotBlock.Shape shape = new SlotBlock.Shape(block.depth, 0, block.capacity, false);
      replace(tag, block, rebuilt(block, shape, forCompaction));
    }
  }

  /** What a block for a tag is made for, without its capacity. */
  private static SlotBlock.Shape shape(int depth, int tag, long addressEnd) {
    int tags = SlotBlock.TAG_COUNT >>> depth;
    return new SlotBlock.Shape(depth, tag & -tags, 0, SlotBlock.areShort(addressEnd, depth));
  }

  private static int grownCapacity(int capacity) {
    int chunk = SlotBlock.CHUNK_SLOTS;
    if (capacity < chunk) {
      int step = Math.max(CAPACITY_STEP_MIN, capacity / 4 & -CAPACITY_STEP_MIN);
      return Math.min(capacity + step, chunk);
    }
    int step = (capacity / GROWTH_FRACTION + GROWTH_UNIT / 2) & -GROWTH_UNIT;
    return capacity + Math.max(GROWTH_UNIT, step);
  }

  /** The smallest capacity for a number of entries that has some room left. */
  private static int capacityFor(int count) {
    long slots = (count + count / 32 + 1L) * LOAD_DENOMINATOR / LOAD_NUMERATOR + 1;
    int unit = slots <= SlotBlock.CHUNK_SLOTS ? CAPACITY_MIN : GROWTH_UNIT;
    return Math.toIntExact((slots + unit - 1) / unit * unit);
  }

  private SlotBlock rebuilt(SlotBlock block, SlotBlock.Shape shape, boolean forCompaction) {
    return filled(block, shape, 0, SlotBlock.TAG_COUNT, forCompaction);
  }

  /** A block of a capacity, or a larger one if that is needed, with the slots of some tags. */
  private SlotBlock filled(
      SlotBlock source, SlotBlock.Shape shape, int fromTag, int endTag, boolean forCompaction) {
    SlotBlock.Shape tried = shape;
    while (true) {
      SlotBlock made = SlotBlock.of(pool, tried, forCompaction);
      if (fill(made, source, fromTag, endTag)) {
        return made;
      }
      made.free(pool);
      tried = tried.ofCapacity(grownCapacity(tried.capacity()));
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

  private void split(int tag, SlotBlock block, long addressEnd) {
    int tags = SlotBlock.TAG_COUNT >>> block.depth;
    int first = tag & -tags;
    int middle = first + tags / 2;
    SlotBlock low = half(block, first, addressEnd);
    SlotBlock high;
    try {
      high = half(block, middle, addressEnd);
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

  private SlotBlock half(SlotBlock block, int fromTag, long addressEnd) {
    SlotBlock.Shape shape = shape(block.depth + 1, fromTag, addressEnd);
    int endTag = fromTag + (SlotBlock.TAG_COUNT >>> shape.depth());
    int[] count = {0};
    forEach(
        block,
        slot -> count[0] += SlotBlock.tag(slot) >= fromTag && SlotBlock.tag(slot) < endTag ? 1 : 0);
    return filled(block, shape.ofCapacity(capacityFor(count[0])), fromTag, endTag, false);
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
  void shrink(int tag, long addressEnd) {
    SlotBlock block = block(tag);
    int capacity = capacityFor(block.count);
    if (capacity < block.capacity) {
      SlotBlock.Shape shape = shape(block.depth, tag, addressEnd);
      replace(tag, block, rebuilt(block, shape.ofCapacity(capacity), true));
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
