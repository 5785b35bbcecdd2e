package dev.isogrid.server.rest;

import dev.isogrid.server.net.InputBudget;
import dev.isogrid.server.net.InputShare;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * Collects the body of a request. A body that arrives in one piece is retained; others are copied
 * into blocks, so that many small pieces don't keep many large buffers alive. Takes memory for
 * received bytes, not for announced ones. Blocks count on an {@link InputBudget}. Reusable; not
 * thread-safe.
 */
final class RequestBody {
  /** Bytes of a block at most: few blocks for a large body. */
  private static final int BLOCK_SIZE_MAX = 1 << 16;

  /** Bytes of the first block at least: little waste for a small body. */
  private static final int BLOCK_SIZE_MIN = 1 << 10;

  /** The result of adding a piece. */
  enum Added {
    TAKEN,
    /** The body exceeds the limit; it is empty now. */
    TOO_LARGE,
    /** There is no memory for the piece now; nothing was done. */
    NO_ROOM
  }

  private final ByteBufAllocator allocator;
  private final InputShare share;
  private final int sizeMax;
  private @Nullable InputBudget budget;
  private @Nullable ByteBuf only;
  private @Nullable CompositeByteBuf blocks;
  private @Nullable ByteBuf block;
  private int size;

  /** Bytes of all blocks. */
  private int capacity;

  /** The most bytes that blocks need. */
  private long usefulMax;

  /**
   * Creates an empty body.
   *
   * @param share counts the memory of blocks
   * @param sizeMax the most bytes of the body
   */
  RequestBody(ByteBufAllocator allocator, InputShare share, int sizeMax) {
    this.allocator = allocator;
    this.share = share;
    this.sizeMax = sizeMax;
    this.usefulMax = sizeMax;
  }

  /**
   * Prepares for a body.
   *
   * @param length the announced length, or 0 if there is none
   */
  void expect(long length) {
    usefulMax = length > 0 ? length : sizeMax;
  }

  /**
   * Adds a piece.
   *
   * @param from the budget of the memory
   * @param piece borrowed
   * @param isLast whether no other piece follows
   */
  Added add(InputBudget from, ByteBuf piece, boolean isLast) {
    int length = piece.readableBytes();
    if (length > sizeMax - size) {
      release();
      return Added.TOO_LARGE;
    }
    if (length == 0) {
      return Added.TAKEN;
    }
    if (isLast && size == 0) {
      only = piece.retainedSlice();
    } else if (!append(from, piece.slice())) {
      return Added.NO_ROOM;
    }
    size += length;
    return Added.TAKEN;
  }

  private boolean append(InputBudget from, ByteBuf piece) {
    ByteBuf current = block;
    int free = current == null ? 0 : current.writableBytes();
    int missing = piece.readableBytes() - free;
    if (missing <= 0 && current != null) {
      current.writeBytes(piece);
      return true;
    }
    long usual = Math.min(Math.clamp(size, BLOCK_SIZE_MIN, BLOCK_SIZE_MAX), usefulMax - capacity);
    int added = (int) Math.max(missing, usual);
    if (!share.hold(from, (long) capacity + added)) {
      return false;
    }
    budget = from;
    capacity += added;
    if (current != null) {
      current.writeBytes(piece, free);
      endBlock(current);
    }
    block = allocator.heapBuffer(added, added).writeBytes(piece);
    return true;
  }

  private void endBlock(ByteBuf current) {
    block = null;
    CompositeByteBuf all = blocks;
    if (all == null) {
      all = allocator.compositeBuffer(Integer.MAX_VALUE);
      blocks = all;
    }
    all.addComponent(true, current);
  }

  /** The number of bytes so far. */
  int size() {
    return size;
  }

  /** All bytes so far; owned by this, valid until {@link #release}. */
  ByteBuf content() {
    if (only != null) {
      return only;
    }
    ByteBuf current = block;
    if (blocks == null) {
      return current == null ? Unpooled.EMPTY_BUFFER : current;
    }
    if (current != null) {
      endBlock(current);
    }
    return blocks;
  }

  /** Drops all bytes and releases their memory. Calling it twice is harmless. */
  void release() {
    release(only);
    release(blocks);
    release(block);
    only = null;
    blocks = null;
    block = null;
    size = 0;
    capacity = 0;
    InputBudget taken = budget;
    if (taken != null) {
      budget = null;
      share.hold(taken, 0);
    }
  }

  private static void release(@Nullable ByteBuf buffer) {
    if (buffer != null) {
      buffer.release();
    }
  }
}
