package dev.isogrid.server.hotrod;

import dev.isogrid.store.ByteSink;
import dev.isogrid.store.PinnedBytes;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.foreign.MemorySegment;

/**
 * A part of a value as a buffer that is sent from the container's memory. The value is pinned until
 * the buffer is released.
 */
final class PinnedBuf extends CompositeByteBuf {
  private final PinnedBytes value;

  private PinnedBuf(ByteBufAllocator allocator, PinnedBytes value) {
    super(allocator, true, Integer.MAX_VALUE);
    this.value = value;
  }

  /**
   * A buffer of a part of a value off the heap.
   *
   * @param value closed with the buffer
   */
  static PinnedBuf of(ByteBufAllocator allocator, PinnedBytes value, int from, int length) {
    PinnedBuf buffer = new PinnedBuf(allocator, value);
    value.writeTo(from, length, buffer.new Parts());
    return buffer;
  }

  /** Adds pieces of memory without a copy. */
  private final class Parts implements ByteSink {
    @Override
    public void write(byte[] array, int offset, int length) {
      addComponent(true, Unpooled.wrappedBuffer(array, offset, length));
    }

    @Override
    public void write(MemorySegment memory, long offset, int length) {
      addComponent(true, Unpooled.wrappedBuffer(memory.asSlice(offset, length).asByteBuffer()));
    }
  }

  @Override
  protected void deallocate() {
    super.deallocate();
    value.close();
  }
}
