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
    Native.copy(string.sharedArray(), string.sharedFrom(), target, offset, string.length());
  }

  @Override
  public byte[] toByteArray() {
    return string.toByteArray();
  }

  @Override
  public void writeTo(ByteSink sink) {
    sink.write(string.sharedArray(), string.sharedFrom(), string.length());
  }

  @Override
  public PinnedBytes pin() {
    return PinnedBytes.of(string.sharedArray(), string.sharedFrom(), string.length());
  }

  @Override
  public ByteString toByteString() {
    return string;
  }
}
