package dev.isogrid.server.net;

import dev.isogrid.store.ByteSink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.foreign.MemorySegment;

/**
 * Appends to a Netty buffer: the target of a value's single copy from the container into the
 * socket's buffer. Reusable; not thread-safe.
 */
public final class ByteBufSink implements ByteSink {
  private ByteBuf buffer = Unpooled.EMPTY_BUFFER;

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
    buffer.writeBytes(memory.asSlice(offset, length).asByteBuffer());
  }
}
