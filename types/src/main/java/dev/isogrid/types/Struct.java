package dev.isogrid.types;

import java.time.DateTimeException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A class of the JDK as a message with few fixed fields. */
final class Struct extends MessageCodec {
  private static final int TYPE_BITS = 3;

  /**
   * A field of it.
   *
   * @param number of the field
   * @param codec of its values
   * @param absent what stands for it in a message without it; null if it must be there
   */
  record Part(int number, Codec codec, @Nullable Object absent) {}

  private final String typeName;
  private final List<Part> parts;
  private final Function<Object, @Nullable Object[]> split;
  private final Function<@Nullable Object[], Object> join;

  Struct(
      String typeName,
      List<Part> parts,
      Function<Object, @Nullable Object[]> split,
      Function<@Nullable Object[], Object> join) {
    this.typeName = typeName;
    this.parts = parts;
    this.split = split;
    this.join = join;
  }

  @Override
  void writeBody(MessageWriter out, Object value) {
    @Nullable Object[] values = split.apply(value);
    for (int i = 0; i < values.length; i++) {
      Object part = values[i];
      if (part != null) {
        Codec codec = parts.get(i).codec();
        out.tag(parts.get(i).number() << TYPE_BITS | codec.wireType());
        codec.write(out, part);
      }
    }
  }

  @Override
  Object readBody(MessageReader in) {
    @Nullable Object[] values = new Object[parts.size()];
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      int index = index(MessageReader.number(tag));
      if (index < 0) {
        in.skip(tag);
      } else {
        values[index] = parts.get(index).codec().readAs(in, MessageReader.wireType(tag));
      }
    }
    for (int i = 0; i < values.length; i++) {
      if (values[i] == null) {
        values[i] = parts.get(i).absent();
      }
    }
    try {
      return join.apply(values);
    } catch (NullPointerException
        | IllegalArgumentException
        | ArithmeticException
        | DateTimeException e) {
      throw MessageReader.malformed("no " + typeName);
    }
  }

  private int index(int number) {
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i).number() == number) {
        return i;
      }
    }
    return -1;
  }
}
