package dev.isogrid.types;

import org.jspecify.annotations.Nullable;

/** Components of primitive types, which are written without boxing. */
final class PrimitiveFields {
  private PrimitiveFields() {}

  /** The field of a component of a primitive type. */
  static RecordField of(Class<?> type, RecordField.Origin origin) {
    if (type == long.class) {
      return new LongField(origin);
    } else if (type == double.class) {
      return new DoubleField(origin);
    } else if (type == float.class) {
      return new FloatField(origin);
    } else if (type == boolean.class) {
      return new BooleanField(origin);
    } else {
      return new IntField(origin, type);
    }
  }

  /** An {@code int} or a narrower type. */
  private static final class IntField extends RecordField {
    private final int tag;
    private final Class<?> type;

    IntField(Origin origin, Class<?> type) {
      super(
          new Origin(
              origin.record(),
              origin.name(),
              origin.number(),
              origin.getter().asType(origin.getter().type().changeReturnType(int.class))));
      this.type = type;
      this.tag = tag(number, MessageWriter.VARINT);
    }

    @Override
    Written write(MessageWriter out, Object record) throws Throwable {
      int value = (int) getter.invokeExact(record);
      out.tag(tag);
      out.int32(value);
      return Written.VALUE;
    }

    @Override
    Object read(MessageReader in, int wireType, @Nullable Object former) {
      MessageReader.expect(MessageWriter.VARINT, wireType);
      return box(in.varint64());
    }

    private Object box(long value) {
      if (type == int.class) {
        return Scalars.inRange(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
      } else if (type == short.class) {
        return (short) Scalars.inRange(value, Short.MIN_VALUE, Short.MAX_VALUE);
      } else if (type == byte.class) {
        return (byte) Scalars.inRange(value, Byte.MIN_VALUE, Byte.MAX_VALUE);
      }
      return (char) Scalars.inRange(value, Character.MIN_VALUE, Character.MAX_VALUE);
    }

    @Override
    Object absent() {
      return box(0);
    }

    @Override
    Object get(Object record) throws Throwable {
      return box((int) getter.invokeExact(record));
    }
  }

  private static final class LongField extends RecordField {
    private final int tag;

    LongField(Origin origin) {
      super(origin);
      this.tag = tag(number, MessageWriter.VARINT);
    }

    @Override
    Written write(MessageWriter out, Object record) throws Throwable {
      long value = (long) getter.invokeExact(record);
      out.tag(tag);
      out.varint(value);
      return Written.VALUE;
    }

    @Override
    Object read(MessageReader in, int wireType, @Nullable Object former) {
      MessageReader.expect(MessageWriter.VARINT, wireType);
      return in.varint64();
    }

    @Override
    Object absent() {
      return 0L;
    }
  }

  private static final class DoubleField extends RecordField {
    private final int tag;

    DoubleField(Origin origin) {
      super(origin);
      this.tag = tag(number, MessageWriter.BITS_64);
    }

    @Override
    Written write(MessageWriter out, Object record) throws Throwable {
      double value = (double) getter.invokeExact(record);
      out.tag(tag);
      out.fixed64(Double.doubleToLongBits(value));
      return Written.VALUE;
    }

    @Override
    Object read(MessageReader in, int wireType, @Nullable Object former) {
      return Scalars.readDouble(in, wireType);
    }

    @Override
    Object absent() {
      return 0.0;
    }
  }

  private static final class FloatField extends RecordField {
    private final int tag;

    FloatField(Origin origin) {
      super(origin);
      this.tag = tag(number, MessageWriter.BITS_32);
    }

    @Override
    Written write(MessageWriter out, Object record) throws Throwable {
      float value = (float) getter.invokeExact(record);
      out.tag(tag);
      out.fixed32(Float.floatToIntBits(value));
      return Written.VALUE;
    }

    @Override
    Object read(MessageReader in, int wireType, @Nullable Object former) {
      return Scalars.readFloat(in, wireType);
    }

    @Override
    Object absent() {
      return 0.0f;
    }
  }

  private static final class BooleanField extends RecordField {
    private final int tag;

    BooleanField(Origin origin) {
      super(origin);
      this.tag = tag(number, MessageWriter.VARINT);
    }

    @Override
    Written write(MessageWriter out, Object record) throws Throwable {
      boolean value = (boolean) getter.invokeExact(record);
      out.tag(tag);
      out.tag(value ? 1 : 0);
      return Written.VALUE;
    }

    @Override
    Object read(MessageReader in, int wireType, @Nullable Object former) {
      MessageReader.expect(MessageWriter.VARINT, wireType);
      return in.varint64() != 0;
    }

    @Override
    Object absent() {
      return false;
    }
  }
}
