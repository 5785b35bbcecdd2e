package dev.isogrid.server.net;

import dev.isogrid.store.Bytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * A part of a Netty buffer as {@link Bytes}: the source of a value's single copy from the socket's
 * buffer into the container. Reusable; not thread-safe.
 */
public final class ByteBufBytes implements Bytes {
  private ByteBuf buffer = Unpooled.EMPTY_BUFFER;
  private int index;
  private int length;

  /**
   * Makes this a view of a part of a buffer.
   *
   * @param buffer borrowed until the next call; not released here
   * @param index absolute index of the first byte
   * @param length number of bytes
   * @return this
   */
  public ByteBufBytes set(ByteBuf buffer, int index, int length) {
    this.buffer = buffer;
    this.index = index;
    this.length = length;
    return this;
  }

  /** Forgets the buffer. */
  public void clear() {
    set(Unpooled.EMPTY_BUFFER, 0, 0);
  }

  /** Appends the bytes to a buffer. */
  public void writeTo(ByteBuf target) {
    target.writeBytes(buffer, index, length);
  }

  @Override
  public int length() {
    return length;
  }

  @Override
  public void copyTo(byte[] target, int offset) {
    // Reading needs no object; getting at an index would make a view of a direct buffer.
    int readerIndex = buffer.readerIndex();
    buffer.readerIndex(index).readBytes(target, offset, length).readerIndex(readerIndex);
  }

  @Override
  public void copyTo(MemorySegment target, long offset) {
    // Works for all kinds of buffers; reads instead of getting, as above.
    int readerIndex = buffer.readerIndex();
    ByteBuffer place = target.asSlice(offset, length).asByteBuffer();
    buffer.readerIndex(index).readBytes(place).readerIndex(readerIndex);
  }
}
