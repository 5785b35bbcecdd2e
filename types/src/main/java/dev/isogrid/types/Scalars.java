package dev.isogrid.types;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Codecs of the values that protocol buffers have types of their own for. */
final class Scalars {
  /*
   * A number can have been written by a version of the class with a wider or a narrower component.
   * Whole numbers of all widths look alike; one that does not fit is refused. Of floating point
   * numbers the wire type tells the width; a double loses digits where a float is expected.
   */

  static final Codec STRING =
      new Codec() {
        @Override
        int wireType() {
          return MessageWriter.DELIMITED;
        }

        @Override
        void write(MessageWriter out, Object value) {
          out.text((String) value);
        }

        @Override
        Object read(MessageReader in) {
          return in.text();
        }

        @Override
        Object zero() {
          return "";
        }
      };

  static final Codec BYTES =
      new Codec() {
        @Override
        int wireType() {
          return MessageWriter.DELIMITED;
        }

        @Override
        void write(MessageWriter out, Object value) {
          out.bytes((byte[]) value);
        }

        @Override
        Object read(MessageReader in) {
          return in.bytes();
        }

        @Override
        Object zero() {
          return new byte[0];
        }
      };

  static final Codec BOOLEAN =
      new Codec() {
        @Override
        int wireType() {
          return MessageWriter.VARINT;
        }

        @Override
        void write(MessageWriter out, Object value) {
          out.tag((Boolean) value ? 1 : 0);
        }

        @Override
        Object read(MessageReader in) {
          return in.varint64() != 0;
        }

        @Override
        Object zero() {
          return false;
        }
      };

  static final Codec INTEGER =
      new Varint() {
        @Override
        long toLong(Object value) {
          return (Integer) value;
        }

        @Override
        Object fromLong(long number) {
          return inRange(number, Integer.MIN_VALUE, Integer.MAX_VALUE);
        }
      };

  static final Codec SHORT =
      new Varint() {
        @Override
        long toLong(Object value) {
          return (Short) value;
        }

        @Override
        Object fromLong(long number) {
          return (short) inRange(number, Short.MIN_VALUE, Short.MAX_VALUE);
        }
      };

  static final Codec BYTE =
      new Varint() {
        @Override
        long toLong(Object value) {
          return (Byte) value;
        }

        @Override
        Object fromLong(long number) {
          return (byte) inRange(number, Byte.MIN_VALUE, Byte.MAX_VALUE);
        }
      };

  static final Codec CHARACTER =
      new Varint() {
        @Override
        long toLong(Object value) {
          return (Character) value;
        }

        @Override
        Object fromLong(long number) {
          return (char) inRange(number, Character.MIN_VALUE, Character.MAX_VALUE);
        }
      };

  static final Codec LONG =
      new Varint() {
        @Override
        long toLong(Object value) {
          return (Long) value;
        }

        @Override
        Object fromLong(long number) {
          return number;
        }
      };

  static final Codec FLOAT =
      new Codec() {
        @Override
        int wireType() {
          return MessageWriter.BITS_32;
        }

        @Override
        void write(MessageWriter out, Object value) {
          out.fixed32(Float.floatToIntBits((Float) value));
        }

        @Override
        Object read(MessageReader in) {
          return Float.intBitsToFloat(in.fixed32());
        }

        @Override
        Object readAs(MessageReader in, int wireType) {
          return readFloat(in, wireType);
        }

        @Override
        Object zero() {
          return 0.0f;
        }
      };

  static final Codec DOUBLE =
      new Codec() {
        @Override
        int wireType() {
          return MessageWriter.BITS_64;
        }

        @Override
        void write(MessageWriter out, Object value) {
          out.fixed64(Double.doubleToLongBits((Double) value));
        }

        @Override
        Object read(MessageReader in) {
          return Double.longBitsToDouble(in.fixed64());
        }

        @Override
        Object readAs(MessageReader in, int wireType) {
          return readDouble(in, wireType);
        }

        @Override
        Object zero() {
          return 0.0;
        }
      };

  /** Eight bytes, whatever they stand for. */
  static final Codec FIXED_64 =
      new Codec() {
        @Override
        int wireType() {
          return MessageWriter.BITS_64;
        }

        @Override
        void write(MessageWriter out, Object value) {
          out.fixed64((Long) value);
        }

        @Override
        Object read(MessageReader in) {
          return in.fixed64();
        }
      };

  private static final Map<Class<?>, Codec> BY_CLASS =
      Map.of(
          String.class, STRING,
          byte[].class, BYTES,
          Boolean.class, BOOLEAN,
          Integer.class, INTEGER,
          Short.class, SHORT,
          Byte.class, BYTE,
          Character.class, CHARACTER,
          Long.class, LONG,
          Float.class, FLOAT,
          Double.class, DOUBLE);

  private static final Map<Class<?>, String> NAMES =
      Map.of(
          String.class, "string",
          byte[].class, "bytes",
          Boolean.class, "bool",
          Integer.class, "int32",
          Short.class, "int32",
          Byte.class, "int32",
          Character.class, "int32",
          Long.class, "int64",
          Float.class, "float",
          Double.class, "double");

  private Scalars() {}

  /** A whole number. */
  private abstract static class Varint extends Codec {
    abstract long toLong(Object value);

    abstract Object fromLong(long number);

    @Override
    int wireType() {
      return MessageWriter.VARINT;
    }

    @Override
    void write(MessageWriter out, Object value) {
      out.varint(toLong(value));
    }

    @Override
    Object read(MessageReader in) {
      return fromLong(in.varint64());
    }

    @Override
    Object zero() {
      return fromLong(0);
    }
  }

  /** The codec of a class, which is not primitive; null if protocol buffers have no type for it. */
  static @Nullable Codec of(Class<?> type) {
    return BY_CLASS.get(type);
  }

  /** The name of the type in a schema; null as for {@link #of}. */
  static @Nullable String nameOf(Class<?> type) {
    return NAMES.get(type);
  }

  /** A number that a class has no room for. The record that reads it names the component. */
  static final class OutOfRangeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private OutOfRangeException(long number, int max) {
      super("value=%d, max=%d".formatted(number, max));
    }
  }

  static int inRange(long number, int min, int max) {
    if (number < min || number > max) {
      throw new OutOfRangeException(number, max);
    }
    return (int) number;
  }

  static double readDouble(MessageReader in, int wireType) {
    if (wireType == MessageWriter.BITS_32) {
      return Float.intBitsToFloat(in.fixed32());
    }
    MessageReader.expect(MessageWriter.BITS_64, wireType);
    return Double.longBitsToDouble(in.fixed64());
  }

  static float readFloat(MessageReader in, int wireType) {
    if (wireType == MessageWriter.BITS_64) {
      return (float) Double.longBitsToDouble(in.fixed64());
    }
    MessageReader.expect(MessageWriter.BITS_32, wireType);
    return Float.intBitsToFloat(in.fixed32());
  }
}
