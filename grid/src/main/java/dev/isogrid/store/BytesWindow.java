package dev.isogrid.store;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Shows stored bytes as a part of an array: where they are, if they are in one piece of the heap,
 * else a copy. What it shows is valid as long as what it was put over. Reusable; for one thread.
 */
public final class BytesWindow implements ByteSink {
  private static final byte[] NOTHING = {};

  private byte[] array = NOTHING;

  /** Where bytes that are not in one piece of the heap are put together; used again. */
  private byte[] copy = NOTHING;

  /** What {@link #buffer} gave last. */
  private @Nullable ByteBuffer shown;

  private int offset;
  private int length;
  private int copied;

  /** Begins over no bytes. */
  public BytesWindow() {}

  /** Moves the window to a value; gives it as {@link #buffer}. */
  public ByteBuffer over(Bytes bytes) {
    point(bytes);
    return buffer();
  }

  /** Moves the window to a key; gives it as {@link #buffer}. */
  public ByteBuffer over(BinaryKey key) {
    point(key);
    return buffer();
  }

  /**
   * Moves the window to a part of an array; gives it as {@link #buffer}.
   *
   * @param bytes borrowed; not to be changed as long as they are shown
   */
  public ByteBuffer over(byte[] bytes, int from, int count) {
    begin(count);
    array = bytes;
    offset = from;
    return buffer();
  }

  /** Moves the window to a value. */
  public void point(Bytes bytes) {
    begin(bytes.length());
    bytes.writeTo(this);
  }

  /** Moves the window to a key. */
  public void point(BinaryKey key) {
    begin(key.length());
    key.writeTo(this);
  }

  private void begin(int ofLength) {
    length = ofLength;
    copied = 0;
    array = NOTHING;
    shown = null;
    offset = 0;
  }

  @Override
  public void write(byte[] piece, int from, int count) {
    if (count == length) {
      array = piece;
      offset = from;
      return;
    }
    reserve();
    System.arraycopy(piece, from, copy, copied, count);
    tookOver(count);
  }

  @Override
  public void write(MemorySegment memory, long from, int count) {
    reserve();
    MemorySegment.copy(memory, Native.BYTE, from, copy, copied, count);
    tookOver(count);
  }

  private void reserve() {
    if (copy.length < length) {
      copy = new byte[length];
    }
  }

  private void tookOver(int count) {
    copied += count;
    array = copy;
  }

  /** The array that a buffer shows, if it is the one that was given last; else null. */
  @SuppressWarnings("ReferenceEquality") // buffers of other bytes may be equal
  public byte @Nullable [] arrayOf(ByteBuffer buffer) {
    return buffer == shown ? array : null;
  }

  /** The array that the bytes are in. Not to be changed. */
  public byte[] array() {
    return array;
  }

  /** Where in the array they begin. */
  public int offset() {
    return offset;
  }

  /** How many they are. */
  public int length() {
    return length;
  }

  /** The bytes from index 0 to the limit, read-only. */
  public ByteBuffer buffer() {
    ByteBuffer buffer = ByteBuffer.wrap(array, offset, length).slice().asReadOnlyBuffer();
    shown = buffer;
    return buffer;
  }
}
