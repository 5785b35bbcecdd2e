package dev.isogrid.types;

import static dev.isogrid.types.WrappedTags.*;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Date;
import org.jspecify.annotations.Nullable;

/** Values of any type, as ProtoStream's wrapped message; see {@link WrappedTags}. */
final class WrappedCodec extends MessageCodec {
  private final Codecs codecs;

  WrappedCodec(Codecs codecs) {
    this.codecs = codecs;
  }

  @Override
  void writeBody(MessageWriter out, Object value) {
    if (!tryScalar(out, value)) {
      codecs.form(value.getClass()).write(out, value);
    }
  }

  /** Writes an element of a collection. */
  void writeElement(MessageWriter out, @Nullable Object element) {
    if (element == null) {
      out.tag(EMPTY);
      out.tag(1);
    } else if (!tryScalar(out, element)) {
      out.tag(MESSAGE);
      write(out, element);
    }
  }

  private static boolean tryScalar(MessageWriter out, Object value) {
    if (value instanceof String text) {
      out.tag(STRING);
      out.text(text);
    } else if (value instanceof Integer number) {
      out.tag(INT32);
      out.int32(number);
    } else if (value instanceof Long number) {
      out.tag(INT64);
      out.varint((long) number);
    } else if (value instanceof byte[] bytes) {
      out.tag(BYTES);
      out.bytes(bytes);
    } else if (value instanceof Record) {
      return false; // the most frequent of all others
    } else {
      return tryOtherScalar(out, value);
    }
    return true;
  }

  @SuppressWarnings("JavaUtilDate") // users have them
  private static boolean tryOtherScalar(MessageWriter out, Object value) {
    if (value instanceof Double number) {
      out.tag(DOUBLE);
      out.fixed64(Double.doubleToLongBits(number));
    } else if (value instanceof Boolean bool) {
      out.tag(BOOL);
      out.tag(bool ? 1 : 0);
    } else if (value instanceof Float number) {
      out.tag(FLOAT);
      out.fixed32(Float.floatToIntBits(number));
    } else if (value instanceof Character character) {
      out.tag(CHAR);
      out.int32(character);
    } else if (value instanceof Short number) {
      out.tag(SHORT);
      out.int32(number);
    } else if (value instanceof Byte number) {
      out.tag(BYTE);
      out.int32(number);
    } else if (value instanceof Date date && value.getClass() == Date.class) {
      out.tag(DATE);
      out.varint(date.getTime());
    } else {
      return false;
    }
    return true;
  }

  @Override
  @Nullable Object readBody(MessageReader in) {
    int tag = in.tag();
    if (tag == 0) {
      return null;
    }
    Object value =
        switch (tag) {
          case MESSAGE, ENUM -> typedLater(in, tag);
          default -> value(in, tag);
        };
    if (in.remaining() > 0) {
      throw MessageReader.malformed("more than one value, left=" + in.remaining());
    }
    return value;
  }

  /** Reads a message or the number of a constant whose type comes behind it. */
  private @Nullable Object typedLater(MessageReader in, int tag) {
    int start = in.position();
    in.skip(tag);
    int end = in.position();
    return codecs
        .named(type(in, in.tag()))
        .readAs(in.over(start, end), MessageReader.wireType(tag));
  }

  @SuppressWarnings("JavaUtilDate") // users have them
  private @Nullable Object value(MessageReader in, int tag) {
    return switch (tag) {
      case STRING -> in.text();
      case INT32 -> Scalars.INTEGER.read(in);
      case INT64 -> in.varint64();
      case BYTES -> in.bytes();
      case DOUBLE -> Double.longBitsToDouble(in.fixed64());
      case FLOAT -> Float.intBitsToFloat(in.fixed32());
      case BOOL -> in.varint64() != 0;
      case CHAR -> Scalars.CHARACTER.read(in);
      case SHORT -> Scalars.SHORT.read(in);
      case BYTE -> Scalars.BYTE.read(in);
      case DATE -> new Date(in.varint64());
      case INSTANT_SECONDS -> instant(in);
      case TYPE_NAME, TYPE_ID -> typed(in, type(in, tag));
      case SIZE, CONTAINER_NAME, CONTAINER_ID, CONTAINER_MESSAGE -> container(in, tag);
      default -> throw MessageReader.malformed("tag " + tag + " of no known value");
    };
  }

  private static Instant instant(MessageReader in) {
    long seconds = in.varint64();
    int nanos = in.tryTag(INSTANT_NANOS) ? in.varint32() : 0;
    try {
      return Instant.ofEpochSecond(seconds, nanos);
    } catch (DateTimeException | ArithmeticException e) {
      throw MessageReader.malformed("no moment: seconds=" + seconds);
    }
  }

  private String type(MessageReader in, int tag) {
    return switch (tag) {
      case TYPE_NAME, CONTAINER_NAME -> in.text();
      case TYPE_ID, CONTAINER_ID -> codecs.nameOfId(in.varint32());
      default -> throw MessageReader.malformed("no type, tag=" + tag);
    };
  }

  private Object typed(MessageReader in, String type) {
    Codec codec = codecs.named(type);
    int tag = in.tag();
    if (tag != MESSAGE && tag != ENUM) {
      throw MessageReader.malformed("type without a value: type=" + type);
    }
    Object value = codec.readAs(in, MessageReader.wireType(tag));
    if (value == null) {
      throw codecs.unknownValue(type);
    }
    return value;
  }

  private Object container(MessageReader in, int first) {
    String type = null;
    int size = -1;
    int tag = first;
    for (int i = 0; i < 3; i++) {
      switch (tag) {
        case SIZE -> size = in.varint32();
        case CONTAINER_MESSAGE -> in.skip(tag);
        default -> type = type(in, tag);
      }
      tag = i < 2 ? in.tag() : 0;
    }
    if (type == null || size < 0 || size > in.remaining() / 2) { // an element has 2 bytes or more
      throw MessageReader.malformed("collection: type=%s, size=%d".formatted(type, size));
    }
    in.descend();
    Object container = Containers.read(type, size, () -> element(in));
    in.ascend();
    return container;
  }

  private @Nullable Object element(MessageReader in) {
    int tag = in.tag();
    if (tag == EMPTY) {
      in.varint64();
      return null;
    }
    return tag == MESSAGE ? read(in) : value(in, tag);
  }
}
