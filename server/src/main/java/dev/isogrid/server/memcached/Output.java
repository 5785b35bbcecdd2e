package dev.isogrid.server.memcached;

import dev.isogrid.server.net.OutputGate;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Appends the replies of one connection to its gate. A large reply gets a buffer of its own, of
 * just its size, so that growing never copies much. For the connection's event loop only.
 */
final class Output {
  /**
   * Replies above this get a buffer of their own; below, copying costs less than one more buffer.
   */
  private static final int SHARED_BYTES_MAX = 1 << 14;

  private final OutputGate gate;
  private final ByteBufAllocator allocator;
  private final byte[] digits = new byte[Decimal.LENGTH_MAX];

  /** The large reply under way. */
  private @Nullable ByteBuf large;

  Output(OutputGate gate, ByteBufAllocator allocator) {
    this.gate = gate;
    this.allocator = allocator;
  }

  /** Whether one more reply may be added. */
  boolean hasRoom() {
    return gate.isOpen();
  }

  /** Appends bytes as they are. */
  void append(byte[] bytes) {
    gate.buffer().writeBytes(bytes);
  }

  /** Appends an unsigned number in decimal. */
  void appendUnsigned(long number) {
    int from = Decimal.format(number, digits);
    gate.buffer().writeBytes(digits, from, digits.length - from);
  }

  /**
   * Begins a reply that may have to be taken back.
   *
   * @param bytes its exact size
   * @return where to write it; borrowed until {@link #commit} or {@link #takeBack}
   */
  ByteBuf begin(int bytes) {
    if (bytes <= SHARED_BYTES_MAX) {
      return gate.buffer();
    }
    ByteBuf part = allocator.ioBuffer(bytes, bytes);
    large = part;
    return part;
  }

  /** Takes back the reply that was begun last, all of its bytes written. */
  void takeBack(int bytes) {
    if (!releaseLarge()) {
      ByteBuf shared = gate.buffer();
      shared.writerIndex(shared.writerIndex() - bytes);
    }
  }

  /** Ends what was begun. */
  void commit() {
    ByteBuf part = large;
    if (part != null) {
      large = null;
      gate.write(part);
    }
  }

  /** Drops what was begun but not ended. */
  boolean releaseLarge() {
    ByteBuf part = large;
    if (part == null) {
      return false;
    }
    large = null;
    part.release();
    return true;
  }
}
