package dev.isogrid.mapreduce;

import java.io.OutputStream;
import java.util.Arrays;

/** A growing array of bytes. Reusable; for one thread. */
final class PairBytes extends OutputStream {
  private byte[] array;
  private int length;

  PairBytes(int capacity) {
    this.array = new byte[capacity];
  }

  /** The array with the bytes up to {@link #length}; another array after the next write. */
  byte[] array() {
    return array;
  }

  int length() {
    return length;
  }

  /** Drops the bytes after a length. */
  void truncate(int toLength) {
    length = toLength;
  }

  byte[] copy() {
    return Arrays.copyOf(array, length);
  }

  /**
   * The bytes as an array of their own, without a copy if it is full; the object must not be used
   * again.
   */
  byte[] take() {
    return array.length == length ? array : copy();
  }

  /** Leaves room for a later write. */
  void skip(int count) {
    reserve(count);
    length += count;
  }

  private void reserve(int more) {
    if (array.length - length < more) {
      int wanted = Math.addExact(length, more);
      long doubled = Math.min(array.length * 2L, Integer.MAX_VALUE - 8);
      array = Arrays.copyOf(array, Math.max(wanted, (int) doubled));
    }
  }

  @Override
  public void write(int oneByte) {
    reserve(1);
    array[length++] = (byte) oneByte;
  }

  @Override
  public void write(byte[] source, int offset, int count) {
    reserve(count);
    System.arraycopy(source, offset, array, length, count);
    length += count;
  }

  /** Writes a number of at most 64 bits, 7 bits per byte, the lowest first. */
  void writeVarint(long number) {
    reserve(10);
    long rest = number;
    while ((rest & ~0x7FL) != 0) {
      array[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    array[length++] = (byte) rest;
  }

  void writeLong(long number) {
    reserve(Long.BYTES);
    for (int shift = 56; shift >= 0; shift -= 8) {
      array[length++] = (byte) (number >>> shift);
    }
  }
}
