package dev.isogrid.store;

import java.lang.foreign.MemorySegment;

/** A part of an array as {@link Bytes}. */
final class ArrayBytes implements Bytes {
  private final byte[] array;
  private final int from;
  private final int length;

  ArrayBytes(byte[] array, int from, int length) {
    this.array = array;
    this.from = from;
    this.length = length;
  }

  @Override
  public int length() {
    return length;
  }

  @Override
  public void copyTo(byte[] target, int offset) {
    System.arraycopy(array, from, target, offset, length);
  }

  @Override
  public void copyTo(MemorySegment target, long offset) {
    Native.copy(array, from, target, offset, length);
  }

  @Override
  public void writeTo(ByteSink sink) {
    sink.write(array, from, length);
  }
}
