package dev.isogrid.server.hotrod;

import dev.isogrid.api.Expiry;
import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.MediaTypes;
import dev.isogrid.wire.RequestFlags;
import dev.isogrid.wire.Versions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A request as it was read: the fields of the header, and of the body those that its operation has.
 * Bytes stay where they arrived; an index and a length say where. Filled by {@link RequestDecoder};
 * reusable; the bytes can be read until the request is executed.
 */
final class Request {
  /** A part of the buffer that the request arrived in. */
  static final class Range {
    int index;
    int length;

    void set(int index, int length) {
      this.index = index;
      this.length = length;
    }
  }

  /** The buffer that all ranges refer to. Borrowed. */
  ByteBuf in = Unpooled.EMPTY_BUFFER;

  long messageId;
  int version;
  int operation;
  final Range cacheName = new Range();
  int flags;
  int intelligence;
  int topologyId;
  final MediaTypeField keyType = new MediaTypeField();
  final MediaTypeField valueType = new MediaTypeField();

  final Range key = new Range();
  final Range value = new Range();

  /** The name of a task, mechanism, iteration or filter; length -1 if there is none. */
  final Range text = new Range();

  /** A set of segments; length -1 if there is none. */
  final Range segments = new Range();

  /** How long to live: milliseconds, or as in {@link Expiry}. */
  long lifespanMillis;

  long maxIdleMillis;

  /** The version that the entry must have. */
  long entryVersion;

  /** A limit, a scope, a batch size, an offset or the id of a stream. */
  int number;

  /** Elements of the list. */
  int count;

  /** Where the first element of the list begins. */
  int listIndex;

  /** Whether a chunk is the last one. */
  boolean last;

  /** Whether metadata is wanted. */
  boolean metadata;

  /** Whether a multimap is one with duplicates. */
  boolean duplicates;

  /** A difference or a value. */
  long operand;

  /** Another value. */
  long secondOperand;

  final CounterFields counter = new CounterFields();

  /** The names of a listener's factories; empty if there is none. */
  final Range filter = new Range();

  final Range converter = new Range();

  /** Whether a listener wants the current state. */
  boolean includesState;

  /** Whether a listener wants what is converted as it is. */
  boolean isRaw;

  /** What a listener wants to hear of; no bits for all. */
  int interests;

  /** Forgets the bytes. */
  void release() {
    in = Unpooled.EMPTY_BUFFER;
  }

  /** Whether listeners are not to be told of a write. */
  boolean isSilent() {
    return version >= Versions.V30 && (flags & RequestFlags.SKIP_LISTENER_NOTIFICATION) != 0;
  }

  boolean wantsPrevious() {
    return (flags & RequestFlags.FORCE_RETURN_VALUE) != 0;
  }

  /** Some bytes of the request as text. */
  String textAt(Range range) {
    return in.toString(range.index, range.length, StandardCharsets.UTF_8);
  }

  /** The media type of the keys, or null if the request does not say. */
  @Nullable String keyMediaType() {
    return keyType.name(in);
  }

  /** The media type of the values, or null if the request does not say. */
  @Nullable String valueMediaType() {
    return valueType.name(in);
  }

  /** The definition of a counter as it was sent. */
  static final class CounterFields {
    /** Bits as in {@link HotRod}. */
    int flags;

    /** Only of a weak one. */
    int concurrency;

    /** Only of a bounded one. */
    long lower;

    /** Only of a bounded one. */
    long upper;

    long initial;
  }

  /** A media type in a header: of a number, or of a name. */
  static final class MediaTypeField {
    private final Range custom = new Range();

    /** As in {@link HotRod}. */
    private int kind;

    private int id;

    /** Where the parameters are: so many pairs of a name and a value. */
    private int parametersIndex;

    private int parametersCount;

    void setNone() {
      kind = HotRod.MEDIA_NONE;
      parametersCount = 0;
    }

    void setParameters(int index, int count) {
      parametersIndex = index;
      parametersCount = count;
    }

    void setPredefined(int id) {
      this.kind = HotRod.MEDIA_PREDEFINED;
      this.id = id;
    }

    void setCustom(int index, int length) {
      kind = HotRod.MEDIA_CUSTOM;
      custom.set(index, length);
    }

    /** The name, null for none. One of the constants of {@link MediaTypes} if it has a number. */
    private @Nullable String name(ByteBuf in) {
      if (kind == HotRod.MEDIA_NONE) {
        return null;
      }
      String bare = kind == HotRod.MEDIA_PREDEFINED ? predefined(id) : custom(in);
      return parametersCount == 0 ? bare : MediaTypeNames.withCharset(bare, charset(in));
    }

    /** The value of the parameter that is the only one to count, or "". */
    private String charset(ByteBuf in) {
      FieldCursor cursor = new FieldCursor();
      cursor.begin(in, parametersIndex);
      Range field = new Range();
      String charset = "";
      for (int i = 0; i < parametersCount; i++) {
        cursor.next(field);
        boolean isCharset =
            in.toString(field.index, field.length, StandardCharsets.US_ASCII)
                .equalsIgnoreCase("charset");
        cursor.next(field);
        if (isCharset && field.length <= MediaTypeNames.CHARSET_LENGTH_MAX) {
          charset = in.toString(field.index, field.length, StandardCharsets.US_ASCII);
        }
      }
      return charset;
    }

    private static String predefined(int id) {
      String name = MediaTypes.nameOf(id);
      if (name == null) {
        throw MediaTypeNames.unknown("id", id);
      }
      return name;
    }

    private String custom(ByteBuf in) {
      if (custom.length > MediaTypeNames.LENGTH_MAX) {
        throw MediaTypeNames.unknown("length", custom.length);
      }
      return MediaTypeNames.canonical(
          in.toString(custom.index, custom.length, StandardCharsets.UTF_8));
    }
  }
}
