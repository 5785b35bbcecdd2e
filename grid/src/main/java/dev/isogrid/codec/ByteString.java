package dev.isogrid.codec;

import dev.isogrid.wire.KeyHash;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * Bytes that never change, equal to others with the same content: a key, a value or an answer on
 * its way between nodes. Thread-safe.
 */
public final class ByteString {
  private final byte[] array;
  private final int from;
  private final int length;

  private ByteString(byte[] array, int from, int length) {
    this.array = array;
    this.from = from;
    this.length = length;
  }

  /** Takes a whole array, which nobody may change from then on. */
  public static ByteString of(byte[] array) {
    return new ByteString(array, 0, array.length);
  }

  /**
   * Takes a part of an array, which nobody may change from then on. Keeps the whole array.
   *
   * @throws IndexOutOfBoundsException if there is no such part
   */
  public static ByteString of(byte[] array, int from, int length) {
    Objects.checkFromIndexSize(from, length, array.length);
    return new ByteString(array, from, length);
  }

  /** Copies a part of an array. */
  public static ByteString copyOf(byte[] array, int offset, int length) {
    return of(Arrays.copyOfRange(array, offset, offset + length));
  }

  /** The number of bytes. */
  public int length() {
    return length;
  }

  /** The bytes in a new array. */
  public byte[] toByteArray() {
    return Arrays.copyOfRange(array, from, from + length);
  }

  /** The bytes to look at. */
  public ByteBuffer asReadOnlyBuffer() {
    return ByteBuffer.wrap(array, from, length).slice().asReadOnlyBuffer();
  }

  /** The array that the bytes are a part of; must not be changed. */
  public byte[] sharedArray() {
    return array;
  }

  /** Where in {@link #sharedArray} the bytes begin. */
  public int sharedFrom() {
    return from;
  }

  /** Copies all bytes to an array, from {@code offset} on. */
  public void copyTo(byte[] target, int offset) {
    System.arraycopy(array, from, target, offset, length);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ByteString bytes
        && Arrays.equals(
            array, from, from + length, bytes.array, bytes.from, bytes.from + bytes.length);
  }

  /** The hash that decides on the segment of a key. Costs O(length) each time. */
  @Override
  public int hashCode() {
    return KeyHash.hash(array, from, length);
  }

  /** The length only: content is not for logs. */
  @Override
  public String toString() {
    return "ByteString[" + length + "]";
  }
}
