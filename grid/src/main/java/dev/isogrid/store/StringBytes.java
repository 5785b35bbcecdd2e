package dev.isogrid.store;

import dev.isogrid.codec.ByteString;
import java.lang.foreign.MemorySegment;

/** The bytes of a string that never changes. */
record StringBytes(ByteString string) implements Bytes {
  @Override
  public int length() {
    return string.length();
  }

  @Override
  public void copyTo(byte[] target, int offset) {
    string.copyTo(target, offset);
  }

  @Override
  public void copyTo(MemorySegment target, long offset) {
    MemorySegment source = MemorySegment.ofBuffer(string.asReadOnlyBuffer());
    MemorySegment.copy(source, 0, target, offset, string.length());
  }

  @Override
  public byte[] toByteArray() {
    return string.toByteArray();
  }
}
