package dev.isogrid.store;

import dev.isogrid.codec.ReusedBytes;
import java.lang.foreign.MemorySegment;

/**
 * The bytes that are in an array that is used again, as a value to store. Shows what is there when
 * it is asked. For one thread.
 */
public final class EncodedValue implements Bytes {
  private final ReusedBytes bytes;

  /** A view of an array; valid for as long as its bytes are to be stored. */
  public EncodedValue(ReusedBytes bytes) {
    this.bytes = bytes;
  }

  @Override
  public int length() {
    return bytes.length();
  }

  @Override
  public void copyTo(byte[] target, int offset) {
    System.arraycopy(bytes.array(), 0, target, offset, bytes.length());
  }

  @Override
  public void copyTo(MemorySegment target, long offset) {
    Native.copy(bytes.array(), 0, target, offset, bytes.length());
  }

  @Override
  public void writeTo(ByteSink sink) {
    sink.write(bytes.array(), 0, bytes.length());
  }
}
