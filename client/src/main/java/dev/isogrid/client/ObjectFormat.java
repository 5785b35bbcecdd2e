package dev.isogrid.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * How objects of a {@link Marshaller} go into a buffer and come out of it, without a copy between
 * where the marshaller is one of ours. Immutable and thread-safe.
 */
final class ObjectFormat {
  /** Field 9 of ProtoStream's wrapper, text. */
  private static final int TAG_STRING = 0x4A;

  /** Field 10, bytes. */
  private static final int TAG_BYTES = 0x52;

  /** The kinds of marshallers. */
  private enum Kind {
    PROTOSTREAM,
    STRING,
    BYTES,
    OTHER
  }

  private final Marshaller marshaller;
  private final Kind kind;

  ObjectFormat(Marshaller marshaller) {
    this.marshaller = marshaller;
    if (marshaller instanceof ProtoStreamMarshaller) {
      kind = Kind.PROTOSTREAM;
    } else if (marshaller instanceof StringMarshaller) {
      kind = Kind.STRING;
    } else {
      kind = marshaller instanceof BytesMarshaller ? Kind.BYTES : Kind.OTHER;
    }
  }

  String mediaType() {
    return marshaller.mediaType();
  }

  /** The bytes of a key. */
  byte[] keyBytes(Object key) {
    if (kind == Kind.PROTOSTREAM && key instanceof String text) {
      byte[] wrapped = wrappedAscii(text);
      if (wrapped != null) {
        return wrapped;
      }
    }
    return marshaller.toBytes(key);
  }

  private static byte @Nullable [] wrappedAscii(String text) {
    int length = text.length();
    int start = 1 + RequestWriter.vIntSize(length);
    byte[] bytes = new byte[start + length];
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        return null;
      }
      bytes[start + i] = (byte) c;
    }
    bytes[0] = TAG_STRING;
    int rest = length;
    for (int i = 1; i < start; i++) {
      bytes[i] = (byte) (i + 1 < start ? (rest & 0x7F) | 0x80 : rest);
      rest >>>= 7;
    }
    return bytes;
  }

  /** The bytes of a value. */
  byte[] bytes(Object value) {
    return marshaller.toBytes(value);
  }

  /** A value as {@link RequestWriter#value} takes it: text, or bytes. */
  Object prepared(Object value) {
    return tag(value) != 0 || (kind == Kind.STRING && value instanceof String)
        ? value
        : marshaller.toBytes(value);
  }

  /** What {@link RequestWriter#value} has to write before the prepared form of this value. */
  int tag(Object value) {
    if (kind != Kind.PROTOSTREAM) {
      return 0;
    }
    if (value instanceof String) {
      return TAG_STRING;
    }
    return value instanceof byte[] ? TAG_BYTES : 0;
  }

  /** About the bytes that a prepared value takes. */
  static int size(Object prepared) {
    return prepared instanceof byte[] bytes ? bytes.length : ((String) prepared).length();
  }

  /**
   * Reads an object; the buffer's reader index may be anywhere afterwards.
   *
   * @return null for no bytes at all, which ProtoStream writes for nothing
   * @throws MarshallingException if the bytes are no object
   */
  @Nullable Object read(ByteBuf in, int length) {
    return switch (kind) {
      case PROTOSTREAM -> length == 0 ? null : readWrapped(in, length);
      case STRING -> in.readString(length, StandardCharsets.UTF_8);
      case BYTES -> copy(in, length);
      case OTHER -> length == 0 ? null : marshaller.fromBytes(copy(in, length));
    };
  }

  /** As {@link #read(ByteBuf, int)}, of all the bytes of an array. */
  @Nullable Object read(byte[] bytes) {
    return read(Unpooled.wrappedBuffer(bytes), bytes.length);
  }

  private Object readWrapped(ByteBuf in, int length) {
    int start = in.readerIndex();
    int tag = in.readByte();
    if (tag == TAG_STRING || tag == TAG_BYTES) {
      int size = 0;
      int at = start + 1;
      int end = start + length;
      for (int shift = 0; at < end && shift < Integer.SIZE; shift += 7) {
        int next = in.getByte(at++);
        size |= (next & 0x7F) << shift;
        if (next >= 0) {
          break;
        }
      }
      if (size == end - at) {
        in.readerIndex(at);
        return tag == TAG_STRING ? in.readString(size, StandardCharsets.UTF_8) : copy(in, size);
      }
    }
    in.readerIndex(start);
    return marshaller.fromBytes(copy(in, length));
  }

  private static byte[] copy(ByteBuf in, int length) {
    byte[] bytes = new byte[length];
    in.readBytes(bytes);
    return bytes;
  }
}
