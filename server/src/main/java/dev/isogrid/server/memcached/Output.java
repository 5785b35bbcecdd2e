package dev.isogrid.server.memcached;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.codec.Decimal;
import dev.isogrid.server.net.HeldOutput;
import dev.isogrid.server.net.OutputGate;
import dev.isogrid.server.net.ReplyOutput;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Appends the replies of one connection to its gate, or holds them while they are made on another
 * thread. A large reply gets a buffer of its own, of its exact size, so that growing never copies
 * much. For the connection's event loop, or the thread that works for it meanwhile.
 */
final class Output {
  /** Larger replies get a buffer of their own; below, copying costs less than one more buffer. */
  private static final int SHARED_BYTES_MAX = 1 << 14;

  private final OutputGate gate;

  /** Null until the connection first works on another thread. */
  private @Nullable HeldOutput held;

  /** The present target of replies: the gate, or the holder. */
  private ReplyOutput target;

  private final ByteBufAllocator allocator;
  private final byte[] digits = new byte[Decimal.LENGTH_MAX];

  /** The large reply in progress. */
  private @Nullable ByteBuf large;

  Output(OutputGate gate, ByteBufAllocator allocator) {
    this.gate = gate;
    this.target = gate;
    this.allocator = allocator;
  }

  /** Holds further output, so that another thread may append. */
  void hold() {
    if (held == null) {
      held = new HeldOutput();
    }
    target = held;
  }

  /** Passes on the held output. On the event loop. */
  void passOn() {
    target = gate;
    if (held != null) {
      held.moveTo(gate);
    }
  }

  /** Drops the held output, and unfinished output. */
  void drop() {
    releaseLarge();
    if (held != null) {
      held.drop();
    }
  }

  /** The held bytes. */
  long heldSize() {
    return held == null ? 0 : held.size();
  }

  /** Whether one more reply may be added. */
  boolean hasRoom() {
    return target instanceof HeldOutput holder
        ? holder.size() < OutputGate.COLLECTED_MAX
        : gate.isOpen();
  }

  /** Appends bytes unchanged. */
  void append(byte[] bytes) {
    target.buffer().writeBytes(bytes);
  }

  /** Appends the first bytes of an array. */
  void append(byte[] bytes, int length) {
    target.buffer().writeBytes(bytes, 0, length);
  }

  /** Appends an unsigned number in decimal. */
  void appendUnsigned(long number) {
    int from = Decimal.format(number, digits);
    target.buffer().writeBytes(digits, from, digits.length - from);
  }

  /**
   * Begins a reply that can be taken back.
   *
   * @param bytes its exact size
   * @return the buffer for it; borrowed until {@link #commit} or {@link #takeBack}
   * @throws RetryableGridException if there is no memory for it
   */
  ByteBuf begin(int bytes) {
    if (bytes <= SHARED_BYTES_MAX) {
      return target.buffer();
    }
    try {
      ByteBuf part = allocator.ioBuffer(bytes, bytes);
      large = part;
      return part;
    } catch (OutOfMemoryError full) { // one large buffer: all else may well have room
      throw new RetryableGridException(
          "no memory for a large reply: size=%d; try again later".formatted(bytes), full);
    }
  }

  /** Takes back the last begun reply, all of whose bytes were written. */
  void takeBack(int bytes) {
    if (!releaseLarge()) {
      ByteBuf shared = target.buffer();
      shared.writerIndex(shared.writerIndex() - bytes);
    }
  }

  /** Commits the output in progress. */
  void commit() {
    ByteBuf part = large;
    if (part != null) {
      large = null;
      target.write(part);
    }
  }

  /** Drops unfinished output. */
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
