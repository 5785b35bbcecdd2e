package dev.isogrid.client;

import dev.isogrid.api.GridException;
import dev.isogrid.api.Marshaller;
import dev.isogrid.types.ObjectMarshaller;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes objects of a {@link Marshaller} into a buffer and reads them from it, without a copy in
 * between if the marshaller is a built-in one. Immutable and thread-safe.
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

  private final Marshaller<Object> marshaller;
  private final Kind kind;

  @SuppressWarnings("unchecked") // one of another class than its own throws
  ObjectFormat(Marshaller<?> marshaller) {
    this.marshaller = (Marshaller<Object>) marshaller;
    if (marshaller instanceof ProtoStreamMarshaller || marshaller instanceof ObjectMarshaller) {
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

  /** The bytes of a key, in an array that its user can't change: it may be kept for long. */
  byte[] keyBytes(Object key) {
    if (kind == Kind.BYTES) {
      return toBytes(key).clone();
    }
    if (kind == Kind.PROTOSTREAM && key instanceof String text) {
      byte[] wrapped = wrappedAscii(text);
      if (wrapped != null) {
        return wrapped;
      }
    }
    return toBytes(key);
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

  private byte[] toBytes(Object object) {
    try {
      return marshaller.toBytes(object);
    } catch (GridException cause) {
      throw new MarshallingException(String.valueOf(cause.getMessage()), cause);
    }
  }

  private Object fromBytes(byte[] bytes, int start, int end) {
    try {
      return marshaller.fromBytes(Arrays.copyOfRange(bytes, start, end));
    } catch (GridException cause) {
      throw new MarshallingException(String.valueOf(cause.getMessage()), cause);
    }
  }

  /** The bytes of a value. */
  byte[] bytes(Object value) {
    return toBytes(value);
  }

  /** A value as {@link RequestWriter#value} takes it: text, or bytes. */
  Object prepared(Object value) {
    return tag(value) != 0 || (kind == Kind.STRING && value instanceof String)
        ? value
        : toBytes(value);
  }

  /** The tag that {@link RequestWriter#value} writes before the prepared form of this value. */
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

  /** Returns whether bytes are read without code of users, and without schemas. */
  boolean isOurs(byte[] bytes, int start, int length) {
    return switch (kind) {
      case PROTOSTREAM -> length == 0 || wrappedStart(bytes, start, length) >= 0;
      case STRING, BYTES -> true;
      case OTHER -> length == 0;
    };
  }

  /**
   * Reads an object from a part of an array.
   *
   * @return null for no bytes at all, which ProtoStream writes for nothing
   * @throws MarshallingException if the bytes are no object
   */
  @Nullable Object read(byte[] bytes, int start, int length) {
    return switch (kind) {
      case PROTOSTREAM -> length == 0 ? null : readWrapped(bytes, start, length);
      case STRING -> new String(bytes, start, length, StandardCharsets.UTF_8);
      case BYTES -> Arrays.copyOfRange(bytes, start, start + length);
      case OTHER -> length == 0 ? null : fromBytes(bytes, start, start + length);
    };
  }

  /** As {@link #read(byte[], int, int)}, of all the bytes of an array. */
  @Nullable Object read(byte[] bytes) {
    return read(bytes, 0, bytes.length);
  }

  private Object readWrapped(byte[] bytes, int start, int length) {
    int end = start + length;
    int content = wrappedStart(bytes, start, length);
    if (content < 0) {
      return fromBytes(bytes, start, end);
    }
    return bytes[start] == TAG_STRING
        ? new String(bytes, content, end - content, StandardCharsets.UTF_8)
        : Arrays.copyOfRange(bytes, content, end);
  }

  /** The position of the bytes of a wrapped text or array, or -1 if something else is wrapped. */
  private static int wrappedStart(byte[] bytes, int start, int length) {
    int tag = bytes[start];
    if (tag != TAG_STRING && tag != TAG_BYTES) {
      return -1;
    }
    int size = 0;
    int at = start + 1;
    int end = start + length;
    for (int shift = 0; at < end && shift < Integer.SIZE; shift += 7) {
      int next = bytes[at++];
      size |= (next & 0x7F) << shift;
      if (next >= 0) {
        break;
      }
    }
    return size == end - at ? at : -1;
  }
}
