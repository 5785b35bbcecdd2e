package dev.isogrid.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps replies that are made on another thread than the connection's, until the connection takes
 * them. Reusable. For one thread at a time; a hand-over to another thread must make the writes
 * visible.
 */
public final class HeldOutput implements ReplyOutput {
  private static final int INITIAL_SIZE = 256;

  /** The size above which a buffer is not kept for the next reply. */
  private static final int KEPT_SIZE_MAX = 4096;

  /** Parts before {@link #collected}, the oldest first. */
  private final List<ByteBuf> parts = new ArrayList<>(0);

  private long partsSize;

  /** The bytes of parts that are counted until they are released. */
  private long countedSize;

  /** On the heap, since it is copied once more into the socket's buffer. */
  private @Nullable ByteBuf collected;

  @Override
  public ByteBuf buffer() {
    ByteBuf buffer = collected;
    if (buffer == null) {
      buffer = Unpooled.buffer(INITIAL_SIZE);
      collected = buffer;
    }
    return buffer;
  }

  @Override
  public void write(ByteBuf part) {
    ByteBuf before = collected;
    if (before != null && before.isReadable()) {
      collected = null;
      add(before);
    }
    add(part);
  }

  private void add(ByteBuf part) {
    parts.add(part);
    partsSize += part.readableBytes();
    countedSize += part instanceof CountedBuf ? part.readableBytes() : 0;
  }

  /** The held bytes. */
  public long size() {
    return partsSize + (collected == null ? 0 : collected.readableBytes());
  }

  /** The held bytes that do not count on a {@link ByteBudget}. */
  public long uncountedSize() {
    return size() - countedSize;
  }

  /** Hands all output to the connection. On its event loop. */
  public void moveTo(OutputGate gate) {
    for (ByteBuf part : parts) {
      gate.write(part);
    }
    parts.clear();
    partsSize = 0;
    countedSize = 0;
    ByteBuf rest = collected;
    if (rest != null) {
      gate.buffer().writeBytes(rest);
      reuse(rest);
    }
  }

  private void reuse(ByteBuf buffer) {
    if (buffer.capacity() <= KEPT_SIZE_MAX) {
      buffer.clear();
    } else {
      collected = null;
      buffer.release();
    }
  }

  /** Drops all output. */
  public void drop() {
    parts.forEach(ByteBuf::release);
    parts.clear();
    partsSize = 0;
    countedSize = 0;
    if (collected != null) {
      reuse(collected);
    }
  }
}
