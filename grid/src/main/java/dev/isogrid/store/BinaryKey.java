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

  /** Whether the hash is that of the bytes; if not, it is computed when it is asked for. */
  private boolean isHashed = true;

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
    point(array, offset, length);
    hash = KeyHash.hash(array, offset, length);
    isHashed = true;
    return this;
  }

  /** As {@link #set}, but computes the hash only if it is asked for. */
  BinaryKey point(byte[] array, int offset, int length) {
    this.array = array;
    this.offset = offset;
    this.length = length;
    isHashed = false;
    return this;
  }

  /** Makes this the key of no bytes, so that it keeps no array alive. */
  public void clear() {
    array = NONE;
    offset = 0;
    length = 0;
    hash = HASH_OF_NONE;
    isHashed = true;
  }

  /** The hash that decides on the segment. */
  public int hash() {
    if (!isHashed) {
      hash = KeyHash.hash(array, offset, length);
      isHashed = true;
    }
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

  /** Copies the bytes into an array from an offset on. */
  public void copyTo(byte[] target, int targetOffset) {
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
