package dev.isogrid.mapreduce;

import dev.isogrid.codec.ObjectReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over a run: pairs in the order of their keys' hashes, and for equal hashes of their
 * keys' bytes, each as
 *
 * <pre>
 *   hash of key: 4 bytes   length of key: 4   length of value: 4   key   value
 * </pre>
 *
 * For one thread.
 */
final class RunCursor {
  static final int HEAD_BYTES = 12;

  /** The bytes that are read from a source at once. */
  private static final int BUFFER_BYTES = 64 << 10;

  private byte[] array;
  private final @Nullable Source source;
  private long sourcePosition;
  private final long sourceEnd;

  /** The position of the unread bytes in the array. */
  private int next;

  private int end;
  private int keyHash;
  private int keyLength;
  private int valueLength;
  private int keyOffset;

  /** The bytes of a run outside of an array, such as a file. */
  @FunctionalInterface
  interface Source {
    /**
     * Reads one byte or more from a position of the run on; returns their number, -1 for the end.
     */
    int read(ByteBuffer target, long position) throws IOException;
  }

  private RunCursor(byte[] array, int end, @Nullable Source source, long sourceEnd) {
    this.array = array;
    this.end = end;
    this.source = source;
    this.sourceEnd = sourceEnd;
  }

  static RunCursor ofMemory(byte[] array, int from, int to) {
    RunCursor cursor = new RunCursor(array, to, null, 0);
    cursor.next = from;
    return cursor;
  }

  static RunCursor ofSource(Source source, long length) {
    return new RunCursor(new byte[(int) Math.min(length, BUFFER_BYTES)], 0, source, length);
  }

  /** Moves to the next pair; returns false if there is none. */
  boolean next() {
    if (!has(HEAD_BYTES)) {
      return false;
    }
    keyHash = intAt(array, next);
    keyLength = intAt(array, next + 4);
    valueLength = intAt(array, next + 8);
    if (!has(Math.addExact(HEAD_BYTES + keyLength, valueLength))) {
      throw new IllegalStateException("run of pairs ends within one");
    }
    keyOffset = next + HEAD_BYTES;
    next = keyOffset + keyLength + valueLength;
    return true;
  }

  static int intAt(byte[] array, int at) {
    return (array[at] << 24)
        | ((array[at + 1] & 0xFF) << 16)
        | ((array[at + 2] & 0xFF) << 8)
        | (array[at + 3] & 0xFF);
  }

  /**
   * Ensures that the array has some bytes from {@code next} on; returns false if the run has fewer.
   */
  private boolean has(int bytes) {
    if (end - next >= bytes) {
      return true;
    }
    if (sourceEnd - sourcePosition < bytes - (end - next)) {
      return false;
    }
    int rest = end - next;
    byte[] target = bytes <= array.length ? array : new byte[bytes];
    System.arraycopy(array, next, target, 0, rest);
    array = target;
    next = 0;
    end = rest;
    try {
      fill();
    } catch (IOException e) {
      throw new UncheckedIOException("pairs can't be read back from disk", e);
    }
    return true;
  }

  private void fill() throws IOException {
    int wanted = (int) Math.min(array.length - end, sourceEnd - sourcePosition);
    Source from = Objects.requireNonNull(source);
    ByteBuffer buffer = ByteBuffer.wrap(array, end, wanted);
    while (buffer.hasRemaining()) {
      int count = from.read(buffer, sourcePosition);
      if (count < 0) {
        throw new IOException("file of pairs is too short");
      }
      sourcePosition += count;
    }
    end += wanted;
  }

  /** The array with key and value; valid until the next move. */
  byte[] array() {
    return array;
  }

  int keyOffset() {
    return keyOffset;
  }

  int keyLength() {
    return keyLength;
  }

  int valueOffset() {
    return keyOffset + keyLength;
  }

  int valueLength() {
    return valueLength;
  }

  int compareKey(RunCursor other) {
    return keyHash != other.keyHash ? Integer.compare(keyHash, other.keyHash) : compareBytes(other);
  }

  private int compareBytes(RunCursor other) {
    return Arrays.compareUnsigned(
        array,
        keyOffset,
        keyOffset + keyLength,
        other.array,
        other.keyOffset,
        other.keyOffset + other.keyLength);
  }

  /** The key's hash. */
  int keyHash() {
    return keyHash;
  }

  boolean hasKey(int hash, byte[] key) {
    return keyHash == hash
        && Arrays.equals(array, keyOffset, keyOffset + keyLength, key, 0, key.length);
  }

  byte[] copyKey() {
    return Arrays.copyOfRange(array, keyOffset, keyOffset + keyLength);
  }

  Object value(ObjectReader objects) {
    return PairCodec.read(array, valueOffset(), valueLength, objects);
  }

  /** Begins a pair whose lengths are written at the end. */
  static int begin(PairBytes out) {
    int at = out.length();
    out.skip(HEAD_BYTES);
    return at;
  }

  /** Ends a pair that {@link #begin} began. */
  static void end(PairBytes out, int at, int keyHash, int keyLength) {
    putInt(out.array(), at, keyHash);
    putInt(out.array(), at + 4, keyLength);
    putInt(out.array(), at + 8, out.length() - at - HEAD_BYTES - keyLength);
  }

  private static void putInt(byte[] array, int at, int number) {
    array[at] = (byte) (number >>> 24);
    array[at + 1] = (byte) (number >>> 16);
    array[at + 2] = (byte) (number >>> 8);
    array[at + 3] = (byte) number;
  }
}
