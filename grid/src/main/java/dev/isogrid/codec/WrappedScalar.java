package dev.isogrid.codec;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * ProtoStream's wrapping of a single scalar: a protocol buffer message with one field, whose number
 * tells the type. Stateless and thread-safe.
 *
 * <pre>
 * number type     wire type          number type     wire type
 *   1    double   64 bits             10    bytes    length-delimited
 *   2    float    32 bits             20    char     varint
 *   3    int64    varint              21    short    varint
 *   5    int32    varint              22    byte     varint
 *   8    bool     varint
 *   9    string   length-delimited
 * </pre>
 *
 * Fixed-width numbers are little-endian. Other fields, or more than one, are not read.
 */
final class WrappedScalar {
  private static final int VARINT = 0;
  private static final int BITS_64 = 1;
  private static final int DELIMITED = 2;
  private static final int BITS_32 = 5;

  private static final int DOUBLE_TAG = 1 << 3 | BITS_64;
  private static final int FLOAT_TAG = 2 << 3 | BITS_32;
  private static final int INT64_TAG = 3 << 3 | VARINT;
  private static final int INT32_TAG = 5 << 3 | VARINT;
  private static final int BOOL_TAG = 8 << 3 | VARINT;
  private static final int STRING_TAG = 9 << 3 | DELIMITED;
  private static final int BYTES_TAG = 10 << 3 | DELIMITED;
  private static final int CHAR_TAG = 20 << 3 | VARINT;
  private static final int SHORT_TAG = 21 << 3 | VARINT;
  private static final int BYTE_TAG = 22 << 3 | VARINT;

  /** The most bytes that a tag and a length or a number take. */
  private static final int HEAD_BYTES_MAX = 2 + 10;

  /** The most bytes that the length of an array takes. */
  private static final int LENGTH_BYTES_MAX = 5;

  private WrappedScalar() {}

  /** Wraps UTF-8 text as a string. */
  static byte[] ofText(byte[] utf8) {
    return delimited(STRING_TAG, utf8);
  }

  /** Wraps bytes. */
  static byte[] ofBytes(byte[] bytes) {
    return delimited(BYTES_TAG, bytes);
  }

  /** Wraps a string, an array of bytes or a boxed primitive; null for any other object. */
  static byte @Nullable [] of(Object object) {
    return switch (object) {
      case String s -> ofText(s.getBytes(StandardCharsets.UTF_8));
      case byte[] b -> ofBytes(b);
      case Integer i -> number(INT32_TAG, i);
      case Long l -> number(INT64_TAG, l);
      case Boolean b -> number(BOOL_TAG, b ? 1 : 0);
      case Character c -> number(CHAR_TAG, c);
      case Short s -> number(SHORT_TAG, s);
      case Byte b -> number(BYTE_TAG, b);
      case Double d -> buffer(1 + Double.BYTES).put((byte) DOUBLE_TAG).putDouble(d).array();
      case Float f -> buffer(1 + Float.BYTES).put((byte) FLOAT_TAG).putFloat(f).array();
      default -> null;
    };
  }

  private static ByteBuffer buffer(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] delimited(int tag, byte[] content) {
    int lengthBytes = 1;
    while (content.length >>> (7 * lengthBytes) != 0 && lengthBytes < LENGTH_BYTES_MAX) {
      lengthBytes++;
    }
    byte[] wrapped = new byte[Math.addExact(1 + lengthBytes, content.length)];
    wrapped[0] = (byte) tag;
    for (int i = 0; i < lengthBytes; i++) {
      int more = i + 1 < lengthBytes ? 0x80 : 0;
      wrapped[1 + i] = (byte) (((content.length >>> (7 * i)) & 0x7F) | more);
    }
    System.arraycopy(content, 0, wrapped, 1 + lengthBytes, content.length);
    return wrapped;
  }

  private static byte[] number(int tag, long number) {
    ByteBuffer whole = buffer(HEAD_BYTES_MAX);
    putVarint(whole, tag);
    putVarint(whole, number);
    byte[] bytes = new byte[whole.flip().remaining()];
    whole.get(bytes);
    return bytes;
  }

  private static void putVarint(ByteBuffer target, long number) {
    while ((number & ~0x7FL) != 0) {
      target.put((byte) (number | 0x80));
      number >>>= 7;
    }
    target.put((byte) number);
  }

  /** The scalar as UTF-8 text; wrapped bytes as they are; null if it is no such scalar. */
  static byte @Nullable [] toText(byte[] wrapped) {
    Object scalar = toObject(wrapped);
    if (scalar == null || scalar instanceof byte[]) {
      return (byte[]) scalar;
    }
    return scalar.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** The content of wrapped bytes or of a wrapped string, or null if it is neither. */
  static byte @Nullable [] toBytes(byte[] wrapped) {
    Object scalar = toObject(wrapped);
    return scalar instanceof String || scalar instanceof byte[] ? toText(wrapped) : null;
  }

  /** The wrapped object, or null if the bytes are not exactly one of the fields. */
  static @Nullable Object toObject(byte[] wrapped) {
    if (wrapped.length >= 2 && wrapped[1] == wrapped.length - 2) { // one byte of length
      if (wrapped[0] == STRING_TAG) {
        return new String(wrapped, 2, wrapped.length - 2, StandardCharsets.UTF_8);
      }
      if (wrapped[0] == BYTES_TAG) {
        return Arrays.copyOfRange(wrapped, 2, wrapped.length);
      }
    }
    ByteBuffer in = ByteBuffer.wrap(wrapped).order(ByteOrder.LITTLE_ENDIAN);
    try {
      Object scalar = read(in);
      return in.hasRemaining() ? null : scalar;
    } catch (BufferUnderflowException e) {
      return null; // cut off in the middle of a number
    }
  }

  private static @Nullable Object read(ByteBuffer in) {
    return switch ((int) readVarint(in)) {
      case STRING_TAG -> readText(in);
      case BYTES_TAG -> readContent(in);
      case INT32_TAG -> (int) readVarint(in);
      case INT64_TAG -> readVarint(in);
      case BOOL_TAG -> readVarint(in) != 0;
      case CHAR_TAG -> (char) readVarint(in);
      case SHORT_TAG -> (short) readVarint(in);
      case BYTE_TAG -> (byte) readVarint(in);
      case DOUBLE_TAG -> in.getDouble();
      case FLOAT_TAG -> in.getFloat();
      default -> null;
    };
  }

  private static @Nullable String readText(ByteBuffer in) {
    long length = readVarint(in);
    if (length < 0 || length > in.remaining()) {
      return null;
    }
    int at = in.position();
    in.position(at + (int) length);
    return new String(in.array(), in.arrayOffset() + at, (int) length, StandardCharsets.UTF_8);
  }

  private static byte @Nullable [] readContent(ByteBuffer in) {
    long length = readVarint(in);
    if (length < 0 || length > in.remaining()) {
      return null;
    }
    byte[] content = new byte[(int) length];
    in.get(content);
    return content;
  }

  private static long readVarint(ByteBuffer in) {
    long number = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      byte group = in.get();
      number |= (long) (group & 0x7F) << shift;
      if (group >= 0) {
        return number;
      }
    }
    throw new BufferUnderflowException(); // longer than any number
  }
}
