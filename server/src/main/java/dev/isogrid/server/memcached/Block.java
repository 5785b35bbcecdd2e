package dev.isogrid.server.memcached;

import dev.isogrid.engine.WouldWaitException;
import dev.isogrid.server.net.ByteBufBytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The value that a client sent with a command: a view of the input, or a copy. For the connection's
 * event loop, or the thread that works for it meanwhile.
 */
final class Block {
  private final ByteBufBytes bytes = new ByteBufBytes();

  /** The copy behind {@link #bytes}; null if they show the input. */
  private @Nullable ByteBuf kept;

  /** The value; the same object for all values. */
  ByteBufBytes bytes() {
    return bytes;
  }

  /** Copies the value, so that it no longer needs the input. A second call has no effect. */
  void keep(ByteBufAllocator allocator) {
    if (kept == null && bytes.length() > 0) {
      ByteBuf copy = allocator.ioBuffer(bytes.length(), bytes.length());
      bytes.writeTo(copy);
      bytes.set(copy, 0, copy.readableBytes());
      kept = copy;
    }
  }

  /** The bytes of the copy. */
  int keptSize() {
    return bytes.length();
  }

  /**
   * Runs an operation that stores the value, and then drops the value.
   *
   * @throws WouldWaitException if that would have to wait and must not; the value stays for another
   *     attempt
   */
  void storeBy(Runnable storing) {
    boolean isRepeated = false;
    try {
      storing.run();
    } catch (WouldWaitException later) {
      isRepeated = true;
      throw later;
    } finally {
      if (!isRepeated) {
        forget();
      }
    }
  }

  /** Drops the value. */
  void forget() {
    bytes.clear();
    ByteBuf copy = kept;
    if (copy != null) {
      kept = null;
      copy.release();
    }
  }
}
