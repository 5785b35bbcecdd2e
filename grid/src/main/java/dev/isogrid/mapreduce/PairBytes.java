package dev.isogrid.mapreduce;

import java.io.OutputStream;
import java.util.Arrays;

/** Bytes that grow. Reusable; for one thread. */
final class PairBytes extends OutputStream {
  private byte[] array;
  private int length;

  PairBytes(int capacity) {
    this.array = new byte[capacity];
  }

  /** What is there so far, up to {@link #length}; another array after the next write. */
  byte[] array() {
    return array;
  }

  int length() {
    return length;
  }

  /** Forgets what was written from a length on. */
  void truncate(int toLength) {
    length = toLength;
  }

  byte[] copy() {
    return Arrays.copyOf(array, length);
  }

  /** What is there as an array of its own, without a copy if it is full; not to be used again. */
  byte[] take() {
    return array.length == length ? array : copy();
  }

  /** Leaves room that is written to later. */
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

  /** A number of at most 64 bits, 7 bits a byte, the lowest first. */
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
