package dev.isogrid.server.hotrod;

import dev.isogrid.api.Expiry;
import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.MediaTypes;
import dev.isogrid.wire.RequestFlags;
import dev.isogrid.wire.TimesExtension;
import dev.isogrid.wire.Versions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A decoded request: the fields of the header, and the fields of the operation's body. Bytes stay
 * in their buffer; a range gives their index and length. Filled by {@link RequestDecoder};
 * reusable; the bytes are valid until the request was executed.
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

  /** The client's span for a trace, in the form of W3C; of length 0 if it has none. */
  final Range traceParent = new Range();

  /** The state beside it; of length 0 if there is none. */
  final Range traceState = new Range();

  /** The session of the client, as the request gives it. */
  final SessionField session = new SessionField();

  final Range key = new Range();
  final Range value = new Range();

  /** The name of a task, mechanism, iteration or filter; length -1 if there is none. */
  final Range text = new Range();

  /** A set of segments; length -1 if there is none. */
  final Range segments = new Range();

  /** The lifespan: milliseconds, or as in {@link Expiry}. */
  long lifespanMillis;

  long maxIdleMillis;

  /** The version that the entry must have. */
  long entryVersion;

  /** A limit, a scope, a batch size, an offset or the id of a stream. */
  int number;

  /** Elements of the list. */
  int count;

  /** The number of elements that a {@code PUT_ALL} has stored already. */
  int storedCount;

  /** The index of the first element of the list. */
  int listIndex;

  /** Whether a chunk is the last one. */
  boolean last;

  /** Whether the client requests metadata. */
  boolean metadata;

  /** Whether a multimap is one with duplicates. */
  boolean duplicates;

  /** A difference or a value. */
  long operand;

  /** Another value. */
  long secondOperand;

  final CounterFields counter = new CounterFields();

  /** The names of a listener's factories; empty if there are none. */
  final Range filter = new Range();

  final Range converter = new Range();

  /** The parameters of a listener's filter: the index of the first one, and their number. */
  final Range filterParameters = new Range();

  /** The same for a listener's converter. */
  final Range converterParameters = new Range();

  /** Whether a listener requests the current state. */
  boolean includesState;

  /** Whether a listener takes converted objects unchanged. */
  boolean isRaw;

  /** The kinds of events for a listener; no bits for all. */
  int interests;

  /** Whether the client of the connection asked for {@link TimesExtension}. */
  boolean takesTimes;

  /** Forgets the bytes. */
  void release() {
    in = Unpooled.EMPTY_BUFFER;
  }

  /** Whether the client requests exact times of an entry. */
  boolean wantsExactTimes() {
    return takesTimes && (flags & TimesExtension.MILLIS_FLAG) != 0;
  }

  /** Whether a write must not notify listeners. */
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

  /** The media type of the keys, or null if the request has none. */
  @Nullable String keyMediaType() {
    return keyType.name(in);
  }

  /** The media type of the values, or null if the request has none. */
  @Nullable String valueMediaType() {
    return valueType.name(in);
  }

  /** The definition of a counter from a request. */
  static final class CounterFields {
    /** Bits as in {@link HotRod}. */
    int flags;

    /** Only for weak counters. */
    int concurrency;

    /** Only for bounded counters. */
    long lower;

    /** Only for bounded counters. */
    long upper;

    long initial;
  }

  /** A media type in a header: a number or a name. */
  static final class MediaTypeField {
    private final Range custom = new Range();

    /** As in {@link HotRod}. */
    private int kind;

    private int id;

    /** The index of the parameters: this many pairs of a name and a value. */
    private int parametersIndex;

    private int parametersCount;

    /** Whether the field is complete without the buffer. */
    boolean isShort() {
      return kind != HotRod.MEDIA_CUSTOM && parametersCount == 0;
    }

    /** Takes over a field that is short. */
    void become(MediaTypeField other) {
      kind = other.kind;
      id = other.id;
      parametersCount = 0;
    }

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

    /** The value of the only relevant parameter, or "". */
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
