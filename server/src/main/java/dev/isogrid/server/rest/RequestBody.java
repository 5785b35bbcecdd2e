package dev.isogrid.server.rest;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * Collects the body of a request. A body that arrives in one piece is kept as it is; others are
 * copied into blocks, so that many small pieces don't keep many large buffers alive. Takes memory
 * for what arrived, not for what was announced. Reusable; not thread-safe.
 */
final class RequestBody {
  /** Bytes of a block: few blocks for a large body, little waste for a small one. */
  private static final int BLOCK_SIZE = 1 << 16;

  private final ByteBufAllocator allocator;
  private final int sizeMax;
  private @Nullable ByteBuf only;
  private @Nullable CompositeByteBuf blocks;
  private @Nullable ByteBuf block;
  private int size;

  /**
   * Creates an empty body.
   *
   * @param sizeMax the most bytes that it may get
   */
  RequestBody(ByteBufAllocator allocator, int sizeMax) {
    this.allocator = allocator;
    this.sizeMax = sizeMax;
  }

  /**
   * Adds a piece.
   *
   * @param piece borrowed
   * @return false if the body got too large; it is empty then
   */
  boolean add(ByteBuf piece) {
    int length = piece.readableBytes();
    if (length > sizeMax - size) {
      release();
      return false;
    }
    if (length == 0) {
      return true;
    }
    boolean first = size == 0;
    size += length;
    if (first) {
      only = piece.retainedSlice();
      return true;
    }
    ByteBuf before = only;
    if (before != null) {
      only = null;
      append(before);
      before.release();
    }
    append(piece.slice());
    return true;
  }

  private void append(ByteBuf piece) {
    while (piece.isReadable()) {
      ByteBuf current = block;
      if (current == null) {
        current = allocator.heapBuffer(BLOCK_SIZE, BLOCK_SIZE);
        block = current;
      }
      current.writeBytes(piece, Math.min(piece.readableBytes(), current.writableBytes()));
      if (!current.isWritable()) {
        endBlock(current);
      }
    }
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

  /** Drops all bytes. Calling it twice is harmless. */
  void release() {
    release(only);
    release(blocks);
    release(block);
    only = null;
    blocks = null;
    block = null;
    size = 0;
  }

  private static void release(@Nullable ByteBuf buffer) {
    if (buffer != null) {
      buffer.release();
    }
  }
}
