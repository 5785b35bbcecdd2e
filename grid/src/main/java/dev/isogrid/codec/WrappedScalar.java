package dev.isogrid.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
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

  /** The most bytes that a number takes. */
  private static final int VARINT_BYTES_MAX = 10;

  /** The most bytes that a tag and a length or a number take. */
  private static final int HEAD_BYTES_MAX = 2 + VARINT_BYTES_MAX;

  private static final VarHandle DOUBLE =
      MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle FLOAT =
      MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);

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

  /**
   * Wraps a scalar as {@link #of} does, in an array that is used again.
   *
   * @return false if it is none; the target is arbitrary then
   */
  static boolean tryWrite(Object object, ReusedBytes target) {
    if (object instanceof String text) { // a switch on types is a call that is not inlined
      writeText(text, target);
    } else if (object instanceof byte[] content) {
      writeContent(BYTES_TAG, content, target);
    } else if (object instanceof Long number) {
      writeNumber(INT64_TAG, number, target);
    } else if (object instanceof Integer number) {
      writeNumber(INT32_TAG, number, target);
    } else if (object instanceof Double number) {
      byte[] room = target.room(1 + Double.BYTES);
      room[0] = DOUBLE_TAG;
      DOUBLE.set(room, 1, (double) number);
      target.written(1 + Double.BYTES);
    } else {
      byte[] wrapped = of(object);
      if (wrapped == null) {
        return false;
      }
      target.show(wrapped);
    }
    return true;
  }

  private static void writeText(String text, ReusedBytes target) {
    int count = text.length();
    int head = 1 + lengthBytes(count);
    int end = target.tryText(head, text);
    int length = end - head;
    if (end < 0 || lengthBytes(length) != head - 1) {
      writeContent(STRING_TAG, text.getBytes(StandardCharsets.UTF_8), target);
      return;
    }
    putHead(target.array(), STRING_TAG, length);
    target.written(end);
  }

  private static void writeContent(int tag, byte[] content, ReusedBytes target) {
    if (content.length > ReusedBytes.KEPT_MAX) {
      target.show(delimited(tag, content));
      return;
    }
    int head = 1 + lengthBytes(content.length);
    byte[] room = target.room(head + content.length);
    putHead(room, tag, content.length);
    System.arraycopy(content, 0, room, head, content.length);
    target.written(head + content.length);
  }

  private static void writeNumber(int tag, long number, ReusedBytes target) {
    byte[] room = target.room(HEAD_BYTES_MAX);
    room[0] = (byte) tag; // all but the rare ones have one byte
    int at = 1;
    long rest = number;
    while ((rest & ~0x7FL) != 0) {
      room[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    room[at++] = (byte) rest;
    target.written(at);
  }

  private static ByteBuffer buffer(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] delimited(int tag, byte[] content) {
    int head = 1 + lengthBytes(content.length);
    byte[] wrapped = new byte[Math.addExact(head, content.length)];
    putHead(wrapped, tag, content.length);
    System.arraycopy(content, 0, wrapped, head, content.length);
    return wrapped;
  }

  /** The bytes of a length as a varint. */
  private static int lengthBytes(int length) {
    return length < 0x80 ? 1 : (38 - Integer.numberOfLeadingZeros(length)) / 7;
  }

  /** Writes a tag of one byte and a length. */
  private static void putHead(byte[] target, int tag, int length) {
    target[0] = (byte) tag;
    int at = 1;
    int rest = length;
    while (rest >>> 7 != 0) {
      target[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    target[at] = (byte) rest;
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
    return toObject(wrapped, 0, wrapped.length);
  }

  /** The object that a part of an array wraps, or null; nothing of the array is kept. */
  static @Nullable Object toObject(byte[] array, int offset, int length) {
    if (length >= 2 && (array[offset] == STRING_TAG || array[offset] == BYTES_TAG)) {
      int end = offset + length;
      int from = contentFrom(array, offset + 1, end);
      if (from >= 0) {
        return array[offset] == STRING_TAG
            ? new String(array, from, end - from, StandardCharsets.UTF_8)
            : Arrays.copyOfRange(array, from, end);
      }
    }
    if (length >= 2 && (array[offset] == INT64_TAG || array[offset] == INT32_TAG)) {
      if (isWhole(array, offset, length)) {
        long number = toWhole(array, offset, length);
        return array[offset] == INT64_TAG ? (Object) number : (Object) (int) number;
      }
    }
    ByteBuffer in = ByteBuffer.wrap(array, offset, length).order(ByteOrder.LITTLE_ENDIAN);
    try {
      Object scalar = read(in);
      return in.hasRemaining() ? null : scalar;
    } catch (BufferUnderflowException e) {
      return null; // cut off in the middle of a number
    }
  }

  /** The offset behind a length that is that of all up to the end; -1 if there is no such one. */
  private static int contentFrom(byte[] array, int offset, int end) {
    int content = 0;
    for (int at = offset, shift = 0; at < end && shift < Integer.SIZE - Byte.SIZE; shift += 7) {
      byte group = array[at++];
      content |= (group & 0x7F) << shift;
      if (group >= 0) {
        return content == end - at ? at : -1;
      }
    }
    return -1; // longer ones are rare
  }

  /** Whether a part of an array wraps a whole number of one of the types of one to eight bytes. */
  static boolean isWhole(byte[] array, int offset, int length) {
    int tag = tag(array, offset, length);
    boolean isKnown = tag == INT64_TAG || tag == INT32_TAG || tag == SHORT_TAG || tag == BYTE_TAG;
    int from = isKnown ? offset + tagBytes(tag) : offset;
    int last = offset + length - 1;
    if (!isKnown || from > last || last - from >= VARINT_BYTES_MAX || array[last] < 0) {
      return false;
    }
    while (from < last && array[from] < 0) {
      from++;
    }
    return from == last;
  }

  /** The whole number that a part of an array wraps; only if {@link #isWhole}. */
  static long toWhole(byte[] array, int offset, int length) {
    int tag = tag(array, offset, length);
    int at = offset + tagBytes(tag);
    long number = 0;
    for (int shift = 0; at < offset + length; shift += 7) {
      number |= (long) (array[at++] & 0x7F) << shift;
    }
    return switch (tag) {
      case INT32_TAG -> (int) number;
      case SHORT_TAG -> (short) number;
      case BYTE_TAG -> (byte) number;
      default -> number;
    };
  }

  /** Whether a part of an array wraps a {@code double} or a {@code float}. */
  static boolean isFloating(byte[] array, int offset, int length) {
    return (length == 1 + Double.BYTES && array[offset] == DOUBLE_TAG)
        || (length == 1 + Float.BYTES && array[offset] == FLOAT_TAG);
  }

  /** The number that a part of an array wraps; only if {@link #isFloating}. */
  static double toFloating(byte[] array, int offset) {
    return array[offset] == DOUBLE_TAG
        ? (double) DOUBLE.get(array, offset + 1)
        : (float) FLOAT.get(array, offset + 1);
  }

  /** The field's number and type, or 0 if there is none of one or two bytes. */
  private static int tag(byte[] array, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    int first = array[offset];
    return first >= 0 || length == 1 ? first : (first & 0x7F) | (array[offset + 1] << 7);
  }

  private static int tagBytes(int tag) {
    return tag >>> 7 == 0 ? 1 : 2;
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
