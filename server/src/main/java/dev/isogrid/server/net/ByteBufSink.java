package dev.isogrid.server.net;

import dev.isogrid.store.ByteSink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Appends to a Netty buffer: the target of a value's single copy from the container into the
 * socket's buffer. Reusable; not thread-safe.
 */
public final class ByteBufSink implements ByteSink {
  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

  private ByteBuf buffer = Unpooled.EMPTY_BUFFER;

  /** The view that the last buffer had on its memory; many buffers in turns have the same. */
  private ByteBuffer known = EMPTY;

  /** All memory of that view. */
  private MemorySegment target = MemorySegment.NULL;

  /**
   * Sets the buffer to append to.
   *
   * @param buffer borrowed until the next call
   * @return this
   */
  public ByteBufSink to(ByteBuf buffer) {
    this.buffer = buffer;
    return this;
  }

  @Override
  public void write(byte[] array, int offset, int length) {
    buffer.writeBytes(array, offset, length);
  }

  @Override
  public void write(MemorySegment memory, long offset, int length) {
    buffer.ensureWritable(length);
    int index = buffer.writerIndex();
    if (buffer.nioBufferCount() != 1) {
      buffer.writeBytes(memory.asSlice(offset, length).asByteBuffer());
      return;
    }
    ByteBuffer view = buffer.internalNioBuffer(index, length);
    MemorySegment.copy(memory, offset, memoryOf(view), view.position(), length);
    buffer.writerIndex(index + length);
  }

  @SuppressWarnings("ReferenceEquality") // the same memory, not equal content
  private MemorySegment memoryOf(ByteBuffer view) {
    if (view != known) {
      known = view;
      target = MemorySegment.ofBuffer(view.duplicate().clear());
    }
    return target;
  }
}
