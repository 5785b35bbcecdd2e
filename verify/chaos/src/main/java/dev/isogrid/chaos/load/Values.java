package dev.isogrid.chaos.load;

import dev.isogrid.chaos.history.Operation;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Values in caches: a number, then up to 1 kB of bytes that it determines. So a truncated or mixed
 * value is found.
 */
final class Values {
  private static final int SIZE_MAX = 1_000;
  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  private Values() {}

  /** The value of a number, which is positive. */
  static byte[] bytes(long number) {
    byte[] bytes = new byte[size(number)];
    ByteBuffer.wrap(bytes).putLong(number);
    for (int i = Long.BYTES; i < bytes.length; i++) {
      bytes[i] = fill(number, i);
    }
    return bytes;
  }

  private static int size(long number) {
    return Long.BYTES + (int) Math.floorMod(number * FACTOR, (long) SIZE_MAX);
  }

  private static byte fill(long number, int index) {
    return (byte) (number + index);
  }

  /**
   * The number of a value; {@link Operation#NONE} if there is none.
   *
   * @throws CorruptValue if these bytes were never written
   */
  static long number(byte @Nullable [] bytes) {
    if (bytes == null) {
      return Operation.NONE;
    }
    long number = bytes.length < Long.BYTES ? 0 : ByteBuffer.wrap(bytes).getLong();
    boolean isWhole = number > 0 && bytes.length == size(number);
    for (int i = Long.BYTES; i < bytes.length && isWhole; i++) {
      isWhole = bytes[i] == fill(number, i);
    }
    if (!isWhole) {
      throw new CorruptValue("corrupt value: number=%d, size=%d".formatted(number, bytes.length));
    }
    return number;
  }

  /** A value that was never written. */
  static final class CorruptValue extends RuntimeException {
    private static final long serialVersionUID = 1;

    CorruptValue(String message) {
      super(message);
    }
  }
}
