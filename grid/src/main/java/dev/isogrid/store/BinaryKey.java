package dev.isogrid.store;

import dev.isogrid.wire.KeyHash;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A key as bytes, with its hash: what the containers that keep bytes are asked with. Reusable, so
 * that a connection needs one for all its requests. Not thread-safe.
 */
public final class BinaryKey {
  private static final byte[] NONE = {};
  private static final int HASH_OF_NONE = KeyHash.hash(NONE);

  private byte[] array = NONE;
  private int offset;
  private int length;
  private int hash = HASH_OF_NONE;

  /** A key that is a whole array, borrowed until the next {@link #set}. */
  public static BinaryKey of(byte[] array) {
    return new BinaryKey().set(array, 0, array.length);
  }

  /**
   * Makes this the key in a part of an array, and computes its hash.
   *
   * @param array borrowed until the next call; not to be changed until then
   * @return this
   */
  public BinaryKey set(byte[] array, int offset, int length) {
    this.hash = KeyHash.hash(array, offset, length);
    this.array = array;
    this.offset = offset;
    this.length = length;
    return this;
  }

  /** Makes this the key of no bytes, so that it keeps no array alive. */
  void clear() {
    array = NONE;
    offset = 0;
    length = 0;
    hash = HASH_OF_NONE;
  }

  /** The hash that decides on the segment. */
  public int hash() {
    return hash;
  }

  /** The number of bytes. */
  public int length() {
    return length;
  }

  /** The bytes in a new array. */
  public byte[] toByteArray() {
    return Arrays.copyOfRange(array, offset, offset + length);
  }

  /** Hands the bytes to a sink. */
  public void writeTo(ByteSink sink) {
    sink.write(array, offset, length);
  }

  void copyTo(byte[] target, int targetOffset) {
    System.arraycopy(array, offset, target, targetOffset, length);
  }

  /** Whether the same bytes are in memory from an offset on. */
  boolean equalsMemory(MemorySegment memory, long at) {
    return Native.equal(memory, at, array, offset, length);
  }

  boolean equalsRange(byte[] other, int otherOffset, int otherLength) {
    return Arrays.equals(
        array, offset, offset + length, other, otherOffset, otherOffset + otherLength);
  }
}
