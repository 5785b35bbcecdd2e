package dev.isogrid.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/**
 * The received and unprocessed bytes of a connection. Bytes that stay between two reads count on an
 * {@link InputBudget}; input that is processed at once costs nothing. For the connection's event
 * loop only.
 */
public final class PendingInput {
  /** The smallest buffer for a request in pieces. */
  private static final int SIZE_MIN = 1024;

  /** The factor of capacity to content above which a buffer is exchanged for a smaller one. */
  private static final int UNUSED_FACTOR = 4;

  private final ChannelHandlerContext context;
  private final InputShare share;
  private final int usefulSizeMax;
  private @Nullable ByteBuf buffer;

  /** The input that arrived while the share waited. */
  private @Nullable ByteBuf later;

  /**
   * Begins empty.
   *
   * @param context of the connection's handler
   * @param share of the connection
   * @param requestSizeMax the most bytes of one request
   */
  public PendingInput(ChannelHandlerContext context, InputShare share, int requestSizeMax) {
    this.context = context;
    this.share = share;
    this.usefulSizeMax = requestSizeMax;
  }

  /** The whole input, or null if there is none; borrowed. */
  public @Nullable ByteBuf buffer() {
    return buffer;
  }

  /** Whether there is no room for the input. Then the connection must not read. */
  public boolean isWaiting() {
    return later != null || share.isWaiting();
  }

  /**
   * Adds received bytes.
   *
   * @param bytes taken
   * @return false if there is no room for them now
   */
  public boolean add(InputBudget budget, ByteBuf bytes) {
    ByteBuf before = buffer;
    if (later != null) {
      later = joined(later, bytes, later.readableBytes() + bytes.readableBytes());
      return false;
    }
    if (before == null) {
      buffer = bytes;
      return true;
    }
    if (fits(before, bytes)) {
      before.writeBytes(bytes);
      bytes.release();
      return true;
    }
    int needed = before.readableBytes() + bytes.readableBytes();
    int size = grownSize(needed);
    if (!share.tryHold(budget, size)) {
      size = needed;
      if (!share.hold(budget, needed)) {
        later = bytes;
        return false;
      }
    }
    buffer = joined(before, bytes, size);
    return true;
  }

  /**
   * Grows twofold, so that all copying is linear, but not beyond the needs of a request. Under
   * memory pressure it grows by the received bytes only.
   */
  private int grownSize(int size) {
    return Math.max(SIZE_MIN, Math.max(size, Math.min(2 * size, usefulSizeMax)));
  }

  private static boolean fits(ByteBuf before, ByteBuf bytes) {
    return before.refCnt() == 1
        && !before.isReadOnly()
        && before.writableBytes() >= bytes.readableBytes();
  }

  /** Both in one new buffer; takes both. */
  private ByteBuf joined(ByteBuf before, ByteBuf bytes, int size) {
    ByteBuf joined = context.alloc().ioBuffer(size);
    joined.writeBytes(before).writeBytes(bytes);
    before.release();
    bytes.release();
    return joined;
  }

  /**
   * Adds the bytes that had to wait.
   *
   * @return false if there is still no room
   */
  public boolean retry(InputBudget budget) {
    ByteBuf waited = later;
    later = null;
    return waited == null || add(budget, waited);
  }

  /**
   * Keeps the unprocessed bytes until more arrive.
   *
   * @return false if there is no room for them; then the connection must not read
   */
  public boolean keep(InputBudget budget) {
    ByteBuf kept = buffer;
    if (kept == null || !kept.isReadable()) {
      drop();
      return later != null || share.held() == 0 || share.hold(budget, 0);
    }
    if (kept.capacity() > SIZE_MIN && kept.readableBytes() < kept.capacity() / UNUSED_FACTOR) {
      kept = context.alloc().ioBuffer(grownSize(kept.readableBytes()));
      kept.writeBytes(buffer);
      drop();
      buffer = kept;
    }
    return later != null || share.hold(budget, kept.capacity());
  }

  private void drop() {
    ByteBuf kept = buffer;
    if (kept != null) {
      buffer = null;
      kept.release();
    }
  }

  /** Drops everything and releases its memory. Calling it twice is harmless. */
  public void clear() {
    drop();
    ByteBuf waited = later;
    if (waited != null) {
      later = null;
      waited.release();
    }
  }
}
