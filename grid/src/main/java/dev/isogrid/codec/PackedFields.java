package dev.isogrid.codec;

import dev.isogrid.api.InvalidRequestException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.infinispan.protostream.SerializationContext;
import org.infinispan.protostream.WrappedMessage;
import org.infinispan.protostream.descriptors.Descriptor;
import org.infinispan.protostream.descriptors.FieldDescriptor;
import org.infinispan.protostream.descriptors.GenericDescriptor;
import org.infinispan.protostream.descriptors.MapDescriptor;
import org.infinispan.protostream.descriptors.Type;
import org.infinispan.protostream.descriptors.WireType;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites messages so that each element of a repeated number has a tag of its own. Encoders may
 * pack such elements into one field, which means the same, but the library's parser goes on in the
 * middle of it (ProtoStream 6.0.7). For one message by one thread.
 */
final class PackedFields {
  /*
   * One pass over the tags finds the packed fields. Most messages have none, and stay as they are.
   * A message is copied from its first packed field on, and so are those around it, since their
   * lengths change. Fields that are malformed, or of a group, end the pass: the library, which
   * reads the message after that, knows what is wrong with it.
   */

  /** A number of seven bits in each byte, the last without the highest bit. */
  private static final int VARINT_BYTES_MAX = 10;

  private final SerializationContext context;
  private final long limit;

  /** The heap that the elements and copied messages need, about. */
  private long weight;

  private PackedFields(SerializationContext context, long limit) {
    this.context = context;
    this.limit = limit;
  }

  private void add(long bytes) {
    weight += bytes;
    if (weight > limit) {
      throw JsonWeight.tooHeavy(limit);
    }
  }

  /**
   * A wrapped message without packed fields.
   *
   * @param wrapped borrowed; returned itself if it has none
   * @param limit of the bytes that the message may need as JSON
   * @throws InvalidRequestException if it needs more than that
   */
  static byte[] unpacked(SerializationContext context, byte[] wrapped, long limit) {
    Descriptor wrapper = context.getMessageDescriptor(WrappedMessage.PROTOBUF_TYPE_NAME);
    PackedFields fields = new PackedFields(context, limit);
    byte[] unpacked = fields.new Pass(wrapper, wrapped, 0, wrapped.length).run();
    return unpacked == null ? wrapped : unpacked;
  }

  /** A message in some bytes, at the field that is read next. */
  private static final class Cursor {
    final byte[] bytes;
    final int end;
    int position;

    Cursor(byte[] bytes, int from, int end) {
      this.bytes = bytes;
      this.position = from;
      this.end = end;
    }

    /** Reads a number; -1 if it is malformed, or does not fit into an int. */
    int number() {
      long value = 0;
      for (int i = 0; i < VARINT_BYTES_MAX && position < end; i++) {
        byte next = bytes[position++];
        value |= (next & 0x7FL) << (7 * i);
        if (next >= 0) {
          return value >= 0 && value <= Integer.MAX_VALUE ? (int) value : -1;
        }
      }
      return -1;
    }

    /** Skips an element of a type on the wire; false if it is not whole. */
    boolean skip(int wireType) {
      switch (wireType) {
        case WireType.WIRETYPE_VARINT -> {
          int last = Math.min(end, position + VARINT_BYTES_MAX);
          while (position < last) {
            if (bytes[position++] >= 0) {
              return true;
            }
          }
          return false;
        }
        case WireType.WIRETYPE_FIXED32 -> position += Integer.BYTES;
        case WireType.WIRETYPE_FIXED64 -> position += Long.BYTES;
        default -> {
          return false;
        }
      }
      return position <= end;
    }
  }

  /** The pass over one message. */
  private final class Pass {
    private final Descriptor type;
    private final Cursor cursor;

    /** Whether the message has another one, whose type is one of its fields. */
    private final boolean isWrapper;

    /** The type of a wrapped message; elements of containers are wrappers. */
    private @Nullable Descriptor wrapped;

    private @Nullable Descriptor container;

    /** The message up to {@link #copied}, from the first change on. */
    private @Nullable ByteArrayOutputStream out;

    private int copied;

    Pass(Descriptor type, byte[] bytes, int from, int end) {
      this.type = type;
      this.cursor = new Cursor(bytes, from, end);
      this.copied = from;
      this.isWrapper = WrappedMessage.PROTOBUF_TYPE_NAME.equals(type.getFullName());
      this.wrapped = isWrapper ? type : null;
    }

    /** Returns the rewritten message, or null if it stays as it is. */
    byte @Nullable [] run() {
      boolean isWhole = true;
      while (isWhole && cursor.position < cursor.end) {
        int start = cursor.position;
        int tag = cursor.number();
        isWhole =
            tag >= 0
                && ((tag & 7) == WireType.WIRETYPE_LENGTH_DELIMITED
                    ? passDelimited(start, tag)
                    : passScalar(tag));
      }
      ByteArrayOutputStream changed = out;
      if (changed == null) {
        return null;
      }
      changed.write(cursor.bytes, copied, cursor.end - copied);
      return changed.toByteArray();
    }

    private boolean passScalar(int tag) {
      Cursor value = new Cursor(cursor.bytes, cursor.position, cursor.end);
      if (!cursor.skip(tag & 7)) {
        return false;
      }
      if (isWrapper && tag >>> 3 == WrappedMessage.WRAPPED_TYPE_ID) {
        wrapped = message(context.getDescriptorByTypeId(value.number()));
      } else if (isWrapper && tag >>> 3 == WrappedMessage.WRAPPED_CONTAINER_TYPE_ID) {
        container = message(context.getDescriptorByTypeId(value.number()));
      }
      return true;
    }

    private boolean passDelimited(int start, int tag) {
      int length = cursor.number();
      if (length < 0 || length > cursor.end - cursor.position) {
        return false;
      }
      Cursor content = new Cursor(cursor.bytes, cursor.position, cursor.position + length);
      cursor.position += length;
      FieldDescriptor field = type.findFieldByNumber(tag >>> 3);
      if (field != null && isPacked(field)) {
        replace(start, unpacked(field, content));
        return true;
      }
      Descriptor nested = isWrapper ? wrappedType(tag >>> 3, content) : nestedType(field);
      if (isWrapper && nested != null) {
        add(length); // the library copies it
      }
      byte[] changed =
          nested == null
              ? null
              : new Pass(nested, content.bytes, content.position, content.end).run();
      if (changed != null) {
        add(changed.length);
        ByteArrayOutputStream whole = new ByteArrayOutputStream(changed.length + 16);
        writeNumber(whole, tag);
        writeNumber(whole, changed.length);
        whole.writeBytes(changed);
        replace(start, whole);
      }
      return true;
    }

    /** Notes the type if a field names it; otherwise returns that of the message in the field. */
    private @Nullable Descriptor wrappedType(int number, Cursor content) {
      switch (number) {
        case WrappedMessage.WRAPPED_TYPE_NAME -> wrapped = named(content);
        case WrappedMessage.WRAPPED_CONTAINER_TYPE_NAME -> container = named(content);
        case WrappedMessage.WRAPPED_MESSAGE -> {
          return wrapped;
        }
        case WrappedMessage.WRAPPED_CONTAINER_MESSAGE -> {
          return container;
        }
        default -> {}
      }
      return null;
    }

    private @Nullable Descriptor named(Cursor name) {
      int length = name.end - name.position;
      return message(
          context
              .getGenericDescriptors()
              .get(new String(name.bytes, name.position, length, StandardCharsets.UTF_8)));
    }

    /** Replaces what was read from a place on. */
    private void replace(int start, ByteArrayOutputStream by) {
      ByteArrayOutputStream changed = out;
      if (changed == null) {
        changed = new ByteArrayOutputStream(cursor.end - copied);
        out = changed;
      }
      changed.write(cursor.bytes, copied, start - copied);
      changed.writeBytes(by.toByteArray());
      copied = cursor.position;
    }
  }

  private static @Nullable Descriptor message(@Nullable GenericDescriptor type) {
    return type instanceof Descriptor message ? message : null;
  }

  private static @Nullable Descriptor nestedType(@Nullable FieldDescriptor field) {
    if (field instanceof MapDescriptor map) {
      return map.asDescriptor();
    }
    return field != null && field.getType() == Type.MESSAGE ? field.getMessageType() : null;
  }

  private static boolean isPacked(FieldDescriptor field) {
    return field.isRepeated()
        && !field.isMap()
        && switch (field.getType()) {
          case STRING, BYTES, MESSAGE, GROUP -> false;
          default -> true;
        };
  }

  private ByteArrayOutputStream unpacked(FieldDescriptor field, Cursor content) {
    int wireType = field.getType().getWireType().value;
    ByteArrayOutputStream out = new ByteArrayOutputStream(2 * (content.end - content.position));
    while (content.position < content.end) {
      int start = content.position;
      if (!content.skip(wireType)) {
        throw new InvalidRequestException(
            "malformed elements: field=%s; the last one is not whole"
                .formatted(field.getFullName()));
      }
      add(JsonWeight.FIELD_BYTES);
      writeNumber(out, (field.getNumber() << 3) | wireType);
      out.write(content.bytes, start, content.position - start);
    }
    return out;
  }

  private static void writeNumber(ByteArrayOutputStream out, int number) {
    int rest = number;
    while ((rest & ~0x7F) != 0) {
      out.write((rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    out.write(rest);
  }
}
