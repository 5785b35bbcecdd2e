package dev.isogrid.types;

import dev.isogrid.api.InvalidRequestException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Protocol buffer fields, written to an array that grows. For one message and one thread. */
final class MessageWriter {
  /** Wire type of a number of variable length. */
  static final int VARINT = 0;

  /** Wire type of eight bytes. */
  static final int BITS_64 = 1;

  /** Wire type of a length and as many bytes. */
  static final int DELIMITED = 2;

  /** Wire type of four bytes. */
  static final int BITS_32 = 5;

  /**
   * Deepest nesting of messages, as in other implementations of protocol buffers: what is nested
   * deeper could not be read by them.
   */
  static final int DEPTH_MAX = 100;

  /** Longest text that is written character by character; longer text is copied faster whole. */
  private static final int SHORT_TEXT_MAX = 127;

  /** The most bytes of a number. */
  private static final int VARINT_BYTES_MAX = 10;

  /** Values below this take one byte as a varint. */
  private static final int ONE_BYTE_LIMIT = 0x80;

  /** Largest array that every JVM can make. */
  private static final int SIZE_MAX = Integer.MAX_VALUE - 8;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[] buffer;
  private int position;
  private int depth;

  /**
   * Begins an empty message.
   *
   * @param sizeBytes expected size of it
   */
  MessageWriter(int sizeBytes) {
    buffer = new byte[Math.max(sizeBytes, 2 * VARINT_BYTES_MAX)];
  }

  /** Returns the number of bytes written. */
  int size() {
    return position;
  }

  /** Returns what was written; the writer must not be used afterwards. */
  byte[] toBytes() {
    return position == buffer.length ? buffer : Arrays.copyOf(buffer, position);
  }

  /** Returns a copy of the bytes from a position on, and forgets them. */
  byte[] takeFrom(int start) {
    byte[] taken = Arrays.copyOfRange(buffer, start, position);
    position = start;
    return taken;
  }

  private void reserve(int bytes) {
    if (buffer.length - position < bytes) {
      grow(bytes);
    }
  }

  private void grow(int bytes) {
    long needed = (long) position + bytes;
    if (needed > SIZE_MAX) {
      throw new InvalidRequestException(
          "object too large: bytes=%d, limit=%d; store it in parts".formatted(needed, SIZE_MAX));
    }
    buffer = Arrays.copyOf(buffer, (int) Math.min(SIZE_MAX, Math.max(2L * position, needed)));
  }

  void tag(int tag) {
    if (tag < ONE_BYTE_LIMIT && position < buffer.length) {
      buffer[position++] = (byte) tag;
    } else {
      varint(tag);
    }
  }

  void varint(int number) {
    reserve(VARINT_BYTES_MAX);
    while ((number & ~0x7F) != 0) {
      buffer[position++] = (byte) (number | 0x80);
      number >>>= 7;
    }
    buffer[position++] = (byte) number;
  }

  void varint(long number) {
    reserve(VARINT_BYTES_MAX);
    while ((number & ~0x7FL) != 0) {
      buffer[position++] = (byte) (number | 0x80);
      number >>>= 7;
    }
    buffer[position++] = (byte) number;
  }

  /** A signed number as {@code int32} has it: ten bytes if it is negative. */
  void int32(int number) {
    if (number >= 0) {
      varint(number);
    } else {
      varint((long) number);
    }
  }

  void fixed32(int number) {
    reserve(Integer.BYTES);
    INTS.set(buffer, position, number);
    position += Integer.BYTES;
  }

  void fixed64(long number) {
    reserve(Long.BYTES);
    LONGS.set(buffer, position, number);
    position += Long.BYTES;
  }

  /** Text with its length before it. */
  void text(String text) {
    int length = text.length();
    if (length > SHORT_TEXT_MAX || !tryAscii(text, length)) {
      bytes(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private boolean tryAscii(String text, int length) {
    reserve(length + 1);
    byte[] target = buffer;
    int at = position;
    target[at++] = (byte) length;
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c >= ONE_BYTE_LIMIT) {
        return false;
      }
      target[at++] = (byte) c;
    }
    position = at;
    return true;
  }

  /** Bytes with their length before them. */
  void bytes(byte[] bytes) {
    varint(bytes.length);
    raw(bytes);
  }

  /** Bytes without their length. */
  void raw(byte[] bytes) {
    reserve(bytes.length);
    System.arraycopy(bytes, 0, buffer, position, bytes.length);
    position += bytes.length;
  }

  /**
   * Begins a nested message.
   *
   * @return for {@link #end}
   * @throws InvalidRequestException if it is nested too deeply
   */
  int begin() {
    descend();
    reserve(1);
    return position++;
  }

  /** Counts a level of nesting; {@link #ascend} ends it. */
  void descend() {
    if (++depth > DEPTH_MAX) {
      throw new InvalidRequestException(
          "object nested too deeply: limit=%d; keep long chains in a list".formatted(DEPTH_MAX));
    }
  }

  void ascend() {
    depth--;
  }

  /** Ends a nested message: puts its length before it. */
  void end(int start) {
    depth--;
    int length = position - start - 1;
    if (length < ONE_BYTE_LIMIT) {
      buffer[start] = (byte) length;
      return;
    }
    int more = (38 - Integer.numberOfLeadingZeros(length)) / 7 - 1; // bytes of the length, minus 1
    reserve(more);
    System.arraycopy(buffer, start + 1, buffer, start + 1 + more, length);
    int end = position + more;
    position = start;
    varint(length);
    position = end;
  }
}
