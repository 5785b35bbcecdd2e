package dev.isogrid.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;

/** A buffer that counts on a {@link ByteBudget} until it is released. */
public final class CountedBuf extends CompositeByteBuf {
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
  public static CountedBuf of(ByteBufAllocator allocator, ByteBuf content, Runnable whenReleased) {
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
