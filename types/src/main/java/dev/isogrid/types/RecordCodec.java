package dev.isogrid.types;

import dev.isogrid.api.GridException;
import dev.isogrid.api.InvalidRequestException;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A record as a message. */
final class RecordCodec extends MessageCodec {
  /*
   * Fields are written in the order of their numbers, so that two versions of a class whose
   * components differ only in their order write the same bytes. Primitive components are written
   * even if they are zero: so a component that is missing is one that the writer did not know.
   */

  private static final int NULLS_TAG =
      RecordField.tag(Declaration.NULLS_NUMBER, MessageWriter.VARINT);

  private static final int EMPTIES_TAG =
      RecordField.tag(Declaration.EMPTIES_NUMBER, MessageWriter.VARINT);

  private static final short NONE = -1;

  private final Class<?> type;
  private @Nullable MethodHandle constructor;
  private @Nullable MethodHandle defaults;

  /** In the order of the components. */
  private RecordField[] fields = {};

  /** In the order of the numbers. */
  private RecordField[] written = {};

  /** The index of a field by its number. */
  private short[] indexes = {};

  RecordCodec(Class<?> type) {
    this.type = type;
  }

  /** Completes the codec, before its first use. */
  void complete(RecordShape shape, RecordField[] components) {
    constructor = shape.constructor();
    defaults = shape.defaults();
    fields = components;
    written = components.clone();
    Arrays.sort(written, (a, b) -> Integer.compare(a.number, b.number));
    indexes = new short[written.length == 0 ? 0 : written[written.length - 1].number + 1];
    Arrays.fill(indexes, NONE);
    for (int i = 0; i < fields.length; i++) {
      indexes[fields[i].number] = (short) i;
    }
  }

  @Override
  void writeBody(MessageWriter out, Object value) {
    try {
      for (RecordField field : written) {
        RecordField.Written state = field.write(out, value);
        if (state != RecordField.Written.VALUE) {
          mark(out, field, state);
        }
      }
    } catch (GridException | Error e) {
      throw e;
    } catch (Throwable e) { // tidy: method handles declare it
      throw new InvalidRequestException(
          "record can't be written: record=%s; its accessor or an element fails: %s"
              .formatted(type.getName(), e),
          e);
    }
  }

  /** Writes what a component is that would be read as something else. */
  private void mark(MessageWriter out, RecordField field, RecordField.Written state) {
    boolean isNull = state == RecordField.Written.NULL;
    if (defaults != null || (isNull && field.isEmptyIfAbsent())) {
      out.tag(isNull ? NULLS_TAG : EMPTIES_TAG);
      out.varint(field.number);
    }
  }

  @Override
  Object readBody(MessageReader in) {
    @Nullable Object[] values = new Object[fields.length];
    RecordField.@Nullable Written @Nullable [] marks = null;
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      int number = MessageReader.number(tag);
      int index = number < indexes.length ? indexes[number] : NONE;
      if (index != NONE) {
        values[index] = read(fields[index], in, tag, values[index]);
      } else if (number == Declaration.NULLS_NUMBER || number == Declaration.EMPTIES_NUMBER) {
        marks = marks == null ? new RecordField.Written[fields.length] : marks;
        readMarks(in, tag, marks);
      } else {
        in.skip(tag);
      }
    }
    try {
      return make(values, marks);
    } catch (GridException | VirtualMachineError e) {
      throw e;
    } catch (Throwable e) { // tidy: method handles declare it
      throw new InvalidRequestException(
          "record can't be made: record=%s; its constructor or defaults() fails: %s"
              .formatted(type.getName(), e),
          e);
    }
  }

  private static @Nullable Object read(
      RecordField field, MessageReader in, int tag, @Nullable Object former) {
    try {
      return field.read(in, MessageReader.wireType(tag), former);
    } catch (Scalars.OutOfRangeException number) {
      throw field.tooLarge(number);
    }
  }

  private void readMarks(MessageReader in, int tag, RecordField.@Nullable Written[] marks) {
    RecordField.Written state =
        MessageReader.number(tag) == Declaration.NULLS_NUMBER
            ? RecordField.Written.NULL
            : RecordField.Written.EMPTY;
    if (MessageReader.wireType(tag) == MessageWriter.DELIMITED) {
      int outer = in.enter();
      while (in.remaining() > 0) {
        mark(in.varint32(), state, marks);
      }
      in.leave(outer);
    } else {
      MessageReader.expect(MessageWriter.VARINT, MessageReader.wireType(tag));
      mark(in.varint32(), state, marks);
    }
  }

  private void mark(int number, RecordField.Written state, RecordField.@Nullable Written[] marks) {
    if (number > 0 && number < indexes.length && indexes[number] != NONE) {
      marks[indexes[number]] = state;
    }
  }

  private Object make(@Nullable Object[] values, RecordField.@Nullable Written @Nullable [] marks)
      throws Throwable {
    Object standard = null;
    for (int i = 0; i < values.length; i++) {
      Object read = values[i];
      RecordField.Written mark = marks == null ? null : marks[i];
      if (read != null) {
        values[i] = fields[i].finish(read);
      } else if (mark == RecordField.Written.EMPTY || (mark == null && defaults == null)) {
        values[i] = fields[i].absent();
      } else if (mark == null && defaults != null) {
        standard = standard == null ? (Object) defaults.invokeExact() : standard;
        values[i] = fields[i].get(standard);
      }
    }
    if (constructor == null) {
      throw new IllegalStateException("codec not complete: " + type);
    }
    return (Object) constructor.invokeExact(values);
  }
}
