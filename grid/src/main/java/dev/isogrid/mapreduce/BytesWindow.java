package dev.isogrid.mapreduce;

import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.ByteSink;
import dev.isogrid.store.Bytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Shows stored bytes where they are, if they are in one piece of the heap, else a copy of them. For
 * one thread.
 */
final class BytesWindow implements ByteSink {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

  private ByteBuffer window = NOTHING;
  private int length;

  /** What the window shows, and where in it. */
  private byte[] shown = {};

  private int shownOffset;
  private byte[] copy = {};
  private int copied;

  /** The array that a buffer shows, if it is the one that was shown last; else null. */
  @SuppressWarnings("ReferenceEquality") // buffers of other bytes may be equal
  byte @Nullable [] arrayOf(ByteBuffer buffer) {
    return buffer == window ? shown : null;
  }

  /** Where in the array the buffer begins. */
  int arrayOffset() {
    return shownOffset;
  }

  ByteBuffer over(Bytes bytes) {
    begin(bytes.length());
    bytes.writeTo(this);
    return window;
  }

  ByteBuffer over(BinaryKey key) {
    begin(key.length());
    key.writeTo(this);
    return window;
  }

  private void begin(int ofLength) {
    length = ofLength;
    copied = 0;
    window = NOTHING;
  }

  @Override
  public void write(byte[] array, int offset, int count) {
    if (count == length) {
      show(array, offset);
      return;
    }
    reserve();
    System.arraycopy(array, offset, copy, copied, count);
    tookOver(count);
  }

  @Override
  public void write(MemorySegment memory, long offset, int count) {
    reserve();
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset, copy, copied, count);
    tookOver(count);
  }

  private void reserve() {
    if (copy.length < length) {
      copy = new byte[length]; // used again: a window is valid until the next one
    }
  }

  private void tookOver(int count) {
    copied += count;
    if (copied == length) {
      show(copy, 0);
    }
  }

  private void show(byte[] array, int offset) {
    shown = array;
    shownOffset = offset;
    window = ByteBuffer.wrap(array, offset, length).slice().asReadOnlyBuffer();
  }
}
