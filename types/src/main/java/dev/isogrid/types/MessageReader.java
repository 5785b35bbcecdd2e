package dev.isogrid.types;

import dev.isogrid.api.InvalidRequestException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Protocol buffer fields, read from a part of an array that is borrowed. Never reads beyond the
 * part, and never makes an array that is longer than what is left of it. For one thread.
 */
final class MessageReader {
  private static final int TYPE_BITS = 3;
  private static final int TYPE_MASK = 7;
  private static final int VARINT_BITS_MAX = 64;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] array;
  private int position;
  private int limit;
  private int depth;

  MessageReader(byte[] array, int offset, int length) {
    this.array = array;
    this.position = offset;
    this.limit = offset + length;
  }

  /** A reader of a part that was passed, nested as deeply as this one. */
  MessageReader over(int start, int end) {
    MessageReader part = new MessageReader(array, start, end - start);
    part.depth = depth;
    return part;
  }

  static InvalidRequestException malformed(String what) {
    return new InvalidRequestException(
        "malformed message: %s; the bytes are damaged or of another format".formatted(what));
  }

  /** The field number of a tag. */
  static int number(int tag) {
    return tag >>> TYPE_BITS;
  }

  /** The wire type of a tag. */
  static int wireType(int tag) {
    return tag & TYPE_MASK;
  }

  byte[] array() {
    return array;
  }

  int position() {
    return position;
  }

  int remaining() {
    return limit - position;
  }

  /** The next tag, or 0 at the end of the message. */
  int tag() {
    if (position == limit) {
      return 0;
    }
    byte first = array[position];
    int tag;
    if (first >= 0) {
      position++;
      tag = first;
    } else {
      tag = varint32();
    }
    if (number(tag) == 0) {
      throw malformed("field number 0");
    }
    return tag;
  }

  /** Passes the next tag if it is this one, which has two bytes. */
  boolean tryTag(int tag) {
    boolean isNext =
        limit - position >= 2
            && array[position] == (byte) (tag | 0x80)
            && array[position + 1] == (byte) (tag >>> 7);
    if (isNext) {
      position += 2;
    }
    return isNext;
  }

  int varint32() {
    return (int) varint64();
  }

  long varint64() {
    long number = 0;
    for (int shift = 0; shift < VARINT_BITS_MAX; shift += 7) {
      if (position == limit) {
        throw malformed("cut off in a number");
      }
      byte next = array[position++];
      number |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return number;
      }
    }
    throw malformed("a number of more than ten bytes");
  }

  int fixed32() {
    int at = take(Integer.BYTES);
    return (int) INTS.get(array, at);
  }

  long fixed64() {
    int at = take(Long.BYTES);
    return (long) LONGS.get(array, at);
  }

  /** Moves on by some bytes; returns where they begin. */
  private int take(int bytes) {
    if (bytes < 0 || bytes > limit - position) {
      throw malformed("length=%d, left=%d".formatted(bytes, limit - position));
    }
    int at = position;
    position += bytes;
    return at;
  }

  /** A length that fits in what is left. */
  int length() {
    long length = varint64();
    if (length < 0 || length > limit - position) {
      throw malformed("length=%d, left=%d".formatted(length, limit - position));
    }
    return (int) length;
  }

  String text() {
    int length = length();
    return new String(array, take(length), length, StandardCharsets.UTF_8);
  }

  byte[] bytes() {
    int length = length();
    int at = take(length);
    return Arrays.copyOfRange(array, at, at + length);
  }

  /**
   * Enters a nested message, whose length is next.
   *
   * @return for {@link #leave}
   */
  int enter() {
    int length = length();
    descend();
    int outer = limit;
    limit = position + length;
    return outer;
  }

  /** Counts a level of nesting; {@link #ascend} ends it. */
  void descend() {
    if (++depth > MessageWriter.DEPTH_MAX) {
      throw malformed("nested too deeply, limit=" + MessageWriter.DEPTH_MAX);
    }
  }

  void ascend() {
    depth--;
  }

  /** Leaves a nested message that was read to its end. */
  void leave(int outer) {
    depth--;
    position = limit;
    limit = outer;
  }

  /** Moves on past the content of a field. */
  void skip(int tag) {
    switch (wireType(tag)) {
      case MessageWriter.VARINT -> varint64();
      case MessageWriter.BITS_64 -> take(Long.BYTES);
      case MessageWriter.DELIMITED -> take(length());
      case MessageWriter.BITS_32 -> take(Integer.BYTES);
      default -> throw malformed("wire type " + wireType(tag));
    }
  }

  /** Checks the wire type of a field that is about to be read. */
  static void expect(int wireType, int actual) {
    if (wireType != actual) {
      throw malformed("wire type %d, expected=%d".formatted(actual, wireType));
    }
  }
}
