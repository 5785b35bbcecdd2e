package dev.isogrid.store;

import dev.isogrid.codec.ByteString;
import java.lang.foreign.MemorySegment;

/**
 * A run of bytes, wherever they are. A view: valid as long as its owner says so, and for one
 * thread.
 */
public interface Bytes {
  /** The number of bytes, 0 or more. */
  int length();

  /** Copies all bytes into an array from an offset on. */
  void copyTo(byte[] target, int offset);

  /** Copies all bytes into memory outside of the heap from an offset on. */
  default void copyTo(MemorySegment target, long offset) {
    byte[] copy = toByteArray();
    Native.copy(copy, 0, target, offset, copy.length);
  }

  /** Hands all bytes to a sink. */
  default void writeTo(ByteSink sink) {
    sink.write(toByteArray(), 0, length());
  }

  /** The bytes in a new array. */
  default byte[] toByteArray() {
    byte[] copy = new byte[length()];
    copyTo(copy, 0);
    return copy;
  }

  /** The bytes as they are now, for good. Copies them unless they never change where they are. */
  default ByteString toByteString() {
    return ByteString.of(toByteArray());
  }

  /**
   * Keeps the bytes as they are beyond the end of this view. Copies them where they are small or
   * could be changed, else keeps what they are in from being freed.
   *
   * @return to be closed
   */
  default PinnedBytes pin() {
    byte[] copy = toByteArray();
    return PinnedBytes.of(copy, 0, copy.length);
  }

  /** Whether {@link #pin} keeps memory outside of the heap as it is instead of copying. */
  default boolean isPinnable() {
    return false;
  }

  /** A view of a whole array; the array must not change meanwhile. */
  static Bytes of(byte[] array) {
    return new ArrayBytes(array, 0, array.length);
  }

  /** A view of a part of an array; the array must not change meanwhile. */
  static Bytes of(byte[] array, int offset, int length) {
    return new ArrayBytes(array, offset, length);
  }

  /** The bytes of a string, which never change. */
  static Bytes of(ByteString string) {
    return new StringBytes(string);
  }
}
