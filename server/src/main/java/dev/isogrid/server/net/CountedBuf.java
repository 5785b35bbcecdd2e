package dev.isogrid.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import java.util.List;

/** A buffer that counts on a {@link ByteBudget} until it is released. */
public final class CountedBuf extends CompositeByteBuf {
  private final Runnable whenReleased;

  private CountedBuf(ByteBufAllocator allocator, Runnable whenReleased) {
    super(allocator, true, Integer.MAX_VALUE);
    this.whenReleased = whenReleased;
  }

  /**
   * Makes one buffer of several.
   *
   * @param parts each is taken
   * @param whenReleased runs once when the buffer is released, on any thread
   */
  public static CountedBuf of(
      ByteBufAllocator allocator, List<ByteBuf> parts, Runnable whenReleased) {
    CountedBuf buffer = new CountedBuf(allocator, whenReleased);
    buffer.addComponents(true, parts);
    return buffer;
  }

  @Override
  protected void deallocate() {
    super.deallocate();
    whenReleased.run();
  }
}
