package dev.isogrid.codec;

import dev.isogrid.wire.KeyHash;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Bytes that never change, equal to others with the same content: a key, a value or an answer on
 * its way between nodes. Thread-safe.
 */
public final class ByteString {
  private final byte[] array;

  private ByteString(byte[] array) {
    this.array = array;
  }

  /** Takes a whole array, which nobody may change from then on. */
  public static ByteString of(byte[] array) {
    return new ByteString(array);
  }

  /** Copies a part of an array. */
  public static ByteString copyOf(byte[] array, int offset, int length) {
    return new ByteString(Arrays.copyOfRange(array, offset, offset + length));
  }

  /** The number of bytes. */
  public int length() {
    return array.length;
  }

  /** The bytes in a new array. */
  public byte[] toByteArray() {
    return array.clone();
  }

  /** The bytes to look at. */
  public ByteBuffer asReadOnlyBuffer() {
    return ByteBuffer.wrap(array).asReadOnlyBuffer();
  }

  /** Copies all bytes to an array, from {@code offset} on. */
  public void copyTo(byte[] target, int offset) {
    System.arraycopy(array, 0, target, offset, array.length);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ByteString bytes && Arrays.equals(array, bytes.array);
  }

  /** The hash that decides on the segment of a key. Costs O(length) each time. */
  @Override
  public int hashCode() {
    return KeyHash.hash(array);
  }

  /** The length only: content is not for logs. */
  @Override
  public String toString() {
    return "ByteString[" + array.length + "]";
  }
}
