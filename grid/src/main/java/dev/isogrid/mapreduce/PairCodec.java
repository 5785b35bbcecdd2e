package dev.isogrid.mapreduce;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.ByteString;
import dev.isogrid.codec.JavaObjects;
import dev.isogrid.codec.ObjectReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * Keys and values of pairs as bytes: one byte for the kind, then the content. Equal objects of a
 * kind with a byte of its own have equal bytes. Stateless.
 *
 * <pre>
 *   0 serialised by Java   1 text, UTF-8   2 array of bytes   3 true   4 false
 *   5 Long   6 Integer   7 Short   8 Byte   9 Character: varint, zigzag
 *   10 Double   11 Float: 8 bytes, of a Double
 * </pre>
 */
final class PairCodec {
  private static final int JAVA = 0;
  private static final int TEXT = 1;
  private static final int BYTES = 2;
  private static final int TRUE = 3;
  private static final int FALSE = 4;
  private static final int LONG = 5;
  private static final int INTEGER = 6;
  private static final int SHORT = 7;
  private static final int BYTE = 8;
  private static final int CHARACTER = 9;
  private static final int DOUBLE = 10;
  private static final int FLOAT = 11;

  private PairCodec() {}

  /**
   * Appends an object.
   *
   * @throws InvalidRequestException if it can't be serialised
   */
  static void write(Object object, PairBytes out) {
    switch (object) {
      case String text -> writeArray(TEXT, text.getBytes(StandardCharsets.UTF_8), out);
      case Long number -> writeNumber(LONG, number, out);
      case Integer number -> writeNumber(INTEGER, number, out);
      case byte[] bytes -> writeArray(BYTES, bytes, out);
      case Boolean bool -> out.write(bool ? TRUE : FALSE);
      case Double number -> writeDouble(DOUBLE, number, out);
      case Float number -> writeDouble(FLOAT, number, out);
      case Short number -> writeNumber(SHORT, number, out);
      case Byte number -> writeNumber(BYTE, number, out);
      case Character character -> writeNumber(CHARACTER, character, out);
      default -> writeSerialized(object, out);
    }
  }

  /** Appends a text in UTF-8, in the form of the equal string. */
  static void writeText(byte[] utf8, int offset, int length, PairBytes out) {
    out.write(TEXT);
    out.write(utf8, offset, length);
  }

  private static void writeArray(int kind, byte[] bytes, PairBytes out) {
    out.write(kind);
    out.write(bytes, 0, bytes.length);
  }

  private static void writeNumber(int kind, long number, PairBytes out) {
    out.write(kind);
    out.writeVarint((number << 1) ^ (number >> 63));
  }

  private static void writeDouble(int kind, double number, PairBytes out) {
    out.write(kind);
    out.writeLong(Double.doubleToLongBits(number));
  }

  private static void writeSerialized(Object object, PairBytes out) {
    try {
      ByteString bytes = JavaObjects.toBytes(object);
      writeArray(JAVA, bytes.toByteArray(), out);
    } catch (IOException notSerializable) {
      throw new InvalidRequestException(
          "emitted or reduced object can't be serialised: type=%s, %s; use scalars or Serializable"
              .formatted(object.getClass().getName(), notSerializable));
    }
  }

  /**
   * The object in a part of an array.
   *
   * @param objects reads objects other than scalars
   * @throws IllegalStateException if there is none
   */
  static Object read(byte[] array, int offset, int length, ObjectReader objects) {
    int at = offset + 1;
    int rest = length - 1;
    return switch (array[offset]) {
      case JAVA -> readSerialized(array, at, rest, objects);
      case TEXT -> new String(array, at, rest, StandardCharsets.UTF_8);
      case BYTES -> Arrays.copyOfRange(array, at, at + rest);
      case TRUE -> true;
      case FALSE -> false;
      case LONG -> readNumber(array, at);
      case INTEGER -> (int) readNumber(array, at);
      case SHORT -> (short) readNumber(array, at);
      case BYTE -> (byte) readNumber(array, at);
      case CHARACTER -> (char) readNumber(array, at);
      case DOUBLE -> readDouble(array, at);
      case FLOAT -> (float) readDouble(array, at);
      default -> throw new IllegalStateException("kind of object unknown: kind=" + array[offset]);
    };
  }

  private static Object readSerialized(byte[] array, int offset, int length, ObjectReader objects) {
    try {
      return Objects.requireNonNull(objects.read(array, offset, length));
    } catch (IOException | ClassNotFoundException e) {
      throw new IllegalStateException("pair can't be read on this node", e);
    }
  }

  private static long readNumber(byte[] array, int offset) {
    long zigzag = 0;
    int at = offset;
    for (int shift = 0; ; shift += 7) {
      byte next = array[at++];
      zigzag |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return (zigzag >>> 1) ^ -(zigzag & 1);
      }
    }
  }

  private static double readDouble(byte[] array, int offset) {
    long bits = 0;
    for (int at = offset; at < offset + Long.BYTES; at++) {
      bits = (bits << 8) | (array[at] & 0xFF);
    }
    return Double.longBitsToDouble(bits);
  }
}
