package dev.isogrid.client;

import dev.isogrid.wire.HotRod;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the primitives of the protocol from what has arrived. Reusable; for one connection. Where
 * the bytes end too early, a method throws {@link IncompleteResponse}; the response is then read
 * again from the last {@link #commit} when more have come.
 */
final class ResponseReader {
  private static final int VINT_LAST_SHIFT = 28;
  private static final int VLONG_LAST_SHIFT = 63;

  private final @Nullable Connection connection;
  private ByteBuf in = Unpooled.EMPTY_BUFFER;
  private int committed;
  private int version;
  private @Nullable MarshallingException failure;
  private boolean isUndecoded;

  /** Creates one for bytes that came before. */
  ResponseReader() {
    this.connection = null;
  }

  /** Creates one for what comes through a connection. */
  ResponseReader(Connection connection) {
    this.connection = connection;
  }

  /** The connection that is read from; there is one. */
  Connection connection() {
    return Objects.requireNonNull(connection);
  }

  /** Begins at the first readable byte of a buffer, borrowed. */
  void begin(ByteBuf buffer, int protocolVersion) {
    in = buffer;
    version = protocolVersion;
    committed = buffer.readerIndex();
  }

  /** The version of the protocol that the connection speaks. */
  int version() {
    return version;
  }

  /** Marks the bytes so far as read; they are not read again. */
  void commit() {
    committed = in.readerIndex();
  }

  /** Goes back to the last commit. */
  void rewind() {
    in.readerIndex(committed);
  }

  boolean hasMore() {
    return in.isReadable();
  }

  /** What went wrong in making objects of bytes since the last call, or null. */
  @Nullable MarshallingException takeFailure() {
    MarshallingException taken = failure;
    failure = null;
    return taken;
  }

  /** Whether {@link Undecoded} stands for an object that was read since the last call. */
  boolean takeUndecoded() {
    boolean taken = isUndecoded;
    isUndecoded = false;
    return taken;
  }

  /** Returns the stand-in of an object that could not be read. */
  private @Nullable Object instead(MarshallingException cause, ObjectFormat format, byte[] bytes) {
    if (connection != null && RemoteSchemas.mustNotWait(cause)) {
      isUndecoded = true;
      return new Undecoded(format, bytes);
    }
    failure = cause;
    return null;
  }

  private void need(int size) {
    if (in.readableBytes() < size) {
      throw IncompleteResponse.INSTANCE;
    }
  }

  int u8() {
    need(1);
    return in.readUnsignedByte();
  }

  int u16() {
    need(Short.BYTES);
    return in.readUnsignedShort();
  }

  int i32() {
    need(Integer.BYTES);
    return in.readInt();
  }

  long i64() {
    need(Long.BYTES);
    return in.readLong();
  }

  int vInt() {
    int number = 0;
    for (int shift = 0; shift <= VINT_LAST_SHIFT; shift += 7) {
      int next = u8();
      number |= (next & 0x7F) << shift;
      if (next < 0x80) {
        return number;
      }
    }
    throw new InvalidResponseException("number of more than 5 bytes");
  }

  long vLong() {
    long number = 0;
    for (int shift = 0; shift <= VLONG_LAST_SHIFT; shift += 7) {
      int next = u8();
      number |= (long) (next & 0x7F) << shift;
      if (next < 0x80) {
        return number;
      }
    }
    throw new InvalidResponseException("number of more than 10 bytes");
  }

  /** A length or a count: a vInt of 0 or more. */
  int length() {
    int length = vInt();
    if (length < 0) {
      throw new InvalidResponseException("negative length: length=" + length);
    }
    return length;
  }

  byte[] bytes() {
    int length = length();
    need(length);
    byte[] bytes = new byte[length];
    in.readBytes(bytes);
    return bytes;
  }

  String string() {
    int length = length();
    need(length);
    return in.readString(length, StandardCharsets.UTF_8);
  }

  /** A media type's number; 0 for none, -1 for one that has only a name. No parameters. */
  int mediaType() {
    int kind = u8();
    if (kind == HotRod.MEDIA_NONE) {
      return 0;
    }
    int id = -1;
    if (kind == HotRod.MEDIA_PREDEFINED) {
      id = vInt();
    } else {
      string();
    }
    for (int count = length(); count > 0; count--) {
      string();
      string();
    }
    return id;
  }

  /**
   * A key or value. If its bytes are no object of the format, the rest is read all the same, and
   * {@link #takeFailure} tells.
   */
  @Nullable Object object(ObjectFormat format) {
    int length = length();
    need(length);
    int start = in.readerIndex();
    int end = start + length;
    try {
      return format.read(in, length);
    } catch (MarshallingException cause) {
      byte[] bytes = new byte[length];
      in.getBytes(start, bytes);
      return instead(cause, format, bytes);
    } finally {
      in.readerIndex(end);
    }
  }

  /** An object of bytes that were read before; as {@link #object(ObjectFormat)}. */
  @Nullable Object object(ObjectFormat format, byte[] bytes) {
    try {
      return format.read(bytes);
    } catch (MarshallingException cause) {
      return instead(cause, format, bytes);
    }
  }

  /** A metadata block; what is not there is -1. The value is missing. */
  MetadataValue<Boolean> metadata() {
    int flags = u8();
    boolean mortal = (flags & HotRod.METADATA_NO_LIFESPAN) == 0;
    long created = mortal ? i64() : -1;
    int lifespan = mortal ? vInt() : -1;
    boolean idle = (flags & HotRod.METADATA_NO_MAX_IDLE) == 0;
    long lastUsed = idle ? i64() : -1;
    int maxIdle = idle ? vInt() : -1;
    return new MetadataValue<>(true, i64(), created, lifespan, lastUsed, maxIdle);
  }

  /** Passes over a metadata block and returns its version. */
  long metadataVersion() {
    int flags = u8();
    if ((flags & HotRod.METADATA_NO_LIFESPAN) == 0) {
      i64();
      vInt();
    }
    if ((flags & HotRod.METADATA_NO_MAX_IDLE) == 0) {
      i64();
      vInt();
    }
    return i64();
  }
}
