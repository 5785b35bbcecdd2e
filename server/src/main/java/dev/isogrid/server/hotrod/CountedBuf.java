package dev.isogrid.server.hotrod;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;

/** A buffer that is counted somewhere until it is released. */
final class CountedBuf extends CompositeByteBuf {
  private final Runnable whenReleased;

  private CountedBuf(ByteBufAllocator allocator, Runnable whenReleased) {
    super(allocator, true, 1);
    this.whenReleased = whenReleased;
  }

  /**
   * Wraps a buffer.
   *
   * @param content taken
   * @param whenReleased run once when the buffer is released, by any thread
   */
  static CountedBuf of(ByteBufAllocator allocator, ByteBuf content, Runnable whenReleased) {
    CountedBuf buffer = new CountedBuf(allocator, whenReleased);
    buffer.addComponent(true, content);
    return buffer;
  }

  @Override
  protected void deallocate() {
    super.deallocate();
    whenReleased.run();
  }
}
