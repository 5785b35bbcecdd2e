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
        if (!field.write(out, value) && (defaults != null || field.isEmptyIfAbsent())) {
          out.tag(NULLS_TAG);
          out.varint(field.number);
        }
      }
    } catch (GridException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new InvalidRequestException(
          "record can't be written: record=%s; its accessor or an element fails: %s"
              .formatted(type.getName(), e),
          e);
    }
  }

  @Override
  Object readBody(MessageReader in) {
    @Nullable Object[] values = new Object[fields.length];
    boolean[] nulls = null;
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      int number = MessageReader.number(tag);
      int index = number < indexes.length ? indexes[number] : NONE;
      if (index != NONE) {
        values[index] = fields[index].read(in, MessageReader.wireType(tag), values[index]);
      } else if (number == Declaration.NULLS_NUMBER) {
        nulls = nulls == null ? new boolean[fields.length] : nulls;
        readNulls(in, MessageReader.wireType(tag), nulls);
      } else {
        in.skip(tag);
      }
    }
    try {
      return make(values, nulls);
    } catch (GridException | VirtualMachineError e) {
      throw e;
    } catch (Throwable e) {
      throw new InvalidRequestException(
          "record can't be made: record=%s; its constructor or defaults() fails: %s"
              .formatted(type.getName(), e),
          e);
    }
  }

  private void readNulls(MessageReader in, int wireType, boolean[] nulls) {
    if (wireType == MessageWriter.DELIMITED) {
      int outer = in.enter();
      while (in.remaining() > 0) {
        markNull(in.varint32(), nulls);
      }
      in.leave(outer);
    } else {
      MessageReader.expect(MessageWriter.VARINT, wireType);
      markNull(in.varint32(), nulls);
    }
  }

  private void markNull(int number, boolean[] nulls) {
    if (number > 0 && number < indexes.length && indexes[number] != NONE) {
      nulls[indexes[number]] = true;
    }
  }

  private Object make(@Nullable Object[] values, boolean @Nullable [] nulls) throws Throwable {
    Object standard = null;
    for (int i = 0; i < values.length; i++) {
      Object read = values[i];
      if (read != null) {
        values[i] = fields[i].finish(read);
      } else if (nulls == null || !nulls[i]) {
        if (standard == null && defaults != null) {
          standard = (Object) defaults.invokeExact();
        }
        values[i] = standard == null ? fields[i].absent() : fields[i].get(standard);
      }
    }
    if (constructor == null) {
      throw new IllegalStateException("codec not complete: " + type);
    }
    return (Object) constructor.invokeExact(values);
  }
}
