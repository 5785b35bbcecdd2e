package dev.isogrid.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

/**
 * The memory for input and output of connections. Refuses large buffers at once when most of it is
 * in use: asked for more than there is, the JVM collects garbage and waits half a second for each
 * buffer, while an event loop serves no other connection. Thread-safe.
 */
final class SocketMemory extends PooledByteBufAllocator {
  private static final int PAGE_SIZE = 8 << 10;

  /**
   * Memory is taken from the system in chunks of {@code PAGE_SIZE << CHUNK_ORDER}, 1 MiB, at the
   * first use. A larger buffer is allocated and freed by itself.
   */
  private static final int CHUNK_ORDER = 7;

  /** The buffers of each size that a thread caches, below a page and above. */
  private static final int SMALL_CACHED_MAX = 256;

  private static final int NORMAL_CACHED_MAX = 16;

  /** The least size of a large buffer: most requests and replies need smaller ones. */
  private static final int LARGE_SIZE = 64 << 10;

  /** The part that is kept for small buffers, 1/8. */
  private static final int RESERVE_FRACTION = 8;

  private final long largeMax;

  /**
   * Begins empty. Direct memory only: output of a socket must be there anyway.
   *
   * @param max the direct memory of the process, in bytes
   */
  SocketMemory(int threadCount, long max) {
    super(true, 0, threadCount, PAGE_SIZE, CHUNK_ORDER, SMALL_CACHED_MAX, NORMAL_CACHED_MAX, false);
    this.largeMax = max - max / RESERVE_FRACTION;
  }

  @Override
  protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    if (initialCapacity >= LARGE_SIZE) {
      long used = metric().usedDirectMemory();
      if (initialCapacity > largeMax - used) {
        throw new OutOfMemoryError(
            "no direct memory for a large buffer: size=%d, used=%d, limit=%d; let clients take"
                    .formatted(initialCapacity, used, largeMax)
                + " their replies, or set a larger -XX:MaxDirectMemorySize");
      }
    }
    return super.newDirectBuffer(initialCapacity, maxCapacity);
  }
}
