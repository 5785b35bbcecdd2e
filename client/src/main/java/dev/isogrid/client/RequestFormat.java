package dev.isogrid.client;

import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.MediaTypes;
import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.RequestFlags;
import dev.isogrid.wire.TimesExtension;
import dev.isogrid.wire.Versions;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The common part of the headers of one view's requests: cache, flags, formats of keys and values.
 * Immutable and thread-safe.
 *
 * <pre>
 * u8 0xA0 | vLong id | u8 version | u8 operation | string cache | vInt flags | u8 intelligence |
 * vInt topology id | from 2.8: media type of keys | media type of values |
 * from 4.0: vInt parameters, of which one may be that of dev.isogrid.wire.SessionExtension
 * </pre>
 */
final class RequestFormat {
  /** Before 2.2 they tell what a time of 0 means. */
  private static final int EXPIRY_FLAGS =
      RequestFlags.DEFAULT_LIFESPAN | RequestFlags.DEFAULT_MAX_IDLE;

  private static final byte[] NO_TYPES = {HotRod.MEDIA_NONE, HotRod.MEDIA_NONE};

  private final CacheRef cache;
  private final int flags;
  private final int intelligence;
  private final ObjectFormat keys;
  private final ObjectFormat values;
  private final byte[] types;

  RequestFormat(
      CacheRef cache,
      int flags,
      Intelligence intelligence,
      ObjectFormat keys,
      ObjectFormat values) {
    this.cache = cache;
    this.flags = flags;
    this.intelligence = intelligence.code();
    this.keys = keys;
    this.values = values;
    this.types = types(keys, values);
  }

  /** The same for keys and values in other forms, and without flags. */
  RequestFormat withFormats(ObjectFormat otherKeys, ObjectFormat otherValues) {
    return new RequestFormat(this, otherKeys, otherValues);
  }

  private RequestFormat(RequestFormat other, ObjectFormat keys, ObjectFormat values) {
    this.cache = other.cache;
    this.flags = 0;
    this.intelligence = other.intelligence;
    this.keys = keys;
    this.values = values;
    this.types = types(keys, values);
  }

  private static byte[] types(ObjectFormat keys, ObjectFormat values) {
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    appendType(both, keys.mediaType());
    appendType(both, values.mediaType());
    return both.toByteArray();
  }

  private RequestFormat(RequestFormat other, int flags, byte[] types) {
    this.cache = other.cache;
    this.flags = flags;
    this.intelligence = other.intelligence;
    this.keys = other.keys;
    this.values = other.values;
    this.types = types;
  }

  private static void appendType(ByteArrayOutputStream out, String mediaType) {
    int id = MediaTypes.idOf(mediaType);
    if (id != 0) {
      out.write(HotRod.MEDIA_PREDEFINED);
      out.write(id);
    } else {
      byte[] name = mediaType.getBytes(StandardCharsets.UTF_8);
      if (name.length >= 0x80) {
        throw new IllegalArgumentException("media type too long: mediaType=" + mediaType);
      }
      out.write(HotRod.MEDIA_CUSTOM);
      out.write(name.length);
      out.writeBytes(name);
    }
    out.write(0);
  }

  /** The same with other flags. */
  RequestFormat withFlags(int otherFlags) {
    return new RequestFormat(this, otherFlags, types);
  }

  /** The same for requests without keys and values, and without flags. */
  RequestFormat withoutTypes() {
    return new RequestFormat(this, 0, NO_TYPES);
  }

  CacheRef cache() {
    return cache;
  }

  int flags() {
    return flags;
  }

  int intelligence() {
    return intelligence;
  }

  ObjectFormat keys() {
    return keys;
  }

  ObjectFormat values() {
    return values;
  }

  /** Appends the header of an operation. */
  void write(RequestWriter out, Operation<?> operation) {
    int version = out.version();
    out.u8(HotRod.REQUEST_MAGIC);
    out.vInt(operation.messageId);
    out.u8(version);
    out.u8(operation.opcode());
    out.bytes(cache.nameBytes());
    out.vInt(flags(out, operation));
    out.u8(intelligence);
    out.vInt(cache.topology().id());
    if (version >= Versions.V28) {
      out.raw(types);
    }
    if (version >= Versions.V40) {
      writeParameters(out, operation);
    }
  }

  private int flags(RequestWriter out, Operation<?> operation) {
    if (out.version() < Versions.V22) {
      return (flags & ~EXPIRY_FLAGS) | operation.expiryFlags();
    }
    boolean wantsMillis = operation.opcode() == Opcodes.GET_WITH_METADATA && out.takesTimes();
    return wantsMillis ? flags | TimesExtension.MILLIS_FLAG : flags;
  }

  private void writeParameters(RequestWriter out, Operation<?> operation) {
    RequestSession session = cache.session();
    if (session == null || operation.number() == 0 || !out.takesSessions()) {
      out.vInt(0);
    } else {
      session.write(out, operation.number(), !out.isSessionNamed(), operation.repeatedAgeNanos());
    }
  }
}
