package dev.isogrid.client;

import dev.isogrid.wire.HotRod;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads the primitives of the protocol from the bytes that have arrived. Reusable; for one
 * connection. Where the bytes end too early, a method throws {@link IncompleteResponse}; the
 * response is then read again from the last {@link #commit} when more have come.
 */
final class ResponseReader {
  private static final int VINT_LAST_SHIFT = 28;
  private static final int VLONG_LAST_SHIFT = 63;

  private final @Nullable Connection connection;
  private static final int SIZE_FIRST = 8 << 10;

  /** An array that grew beyond this for a large response is not kept. */
  private static final int SIZE_KEPT_MAX = 256 << 10;

  /**
   * An array gets an eighth more than is needed, some kilobytes at most: the rest of one read
   * varies, and the next one should fit beside it.
   */
  private static final int SPARE_SHIFT = 3;

  private static final int SPARE_MAX = 32 << 10;

  private byte[] array;
  private int at;
  private int end;
  private int committed;

  /** Up to here at least there must be bytes before it is worth reading again. */
  private int wanted;

  private int version;
  private @Nullable MarshallingException failure;
  private boolean isUndecoded;

  /** Creates one for bytes that came before; borrows them. */
  ResponseReader(byte[] bytes) {
    this.connection = null;
    this.array = bytes;
    this.end = bytes.length;
  }

  /** Creates one for the bytes of a connection. */
  ResponseReader(Connection connection) {
    this.connection = connection;
    this.array = new byte[SIZE_FIRST];
  }

  /** The connection that is read from; there is one. */
  Connection connection() {
    return Objects.requireNonNull(connection);
  }

  /** Appends all that a buffer has. */
  void append(ByteBuffer from) {
    int size = from.remaining();
    int start = room(size); // may make another array
    from.get(array, start, size);
    end += size;
  }

  /**
   * Makes room for bytes that {@link #appended} then counts.
   *
   * @return where in {@link #array} they belong
   */
  int room(int size) {
    if (array.length - end < size) {
      int kept = end - committed;
      long needed = (long) kept + size;
      if (needed > array.length) {
        long spare = Math.min(needed >> SPARE_SHIFT, SPARE_MAX);
        long wider =
            Math.max(needed + spare, Math.min(2L * array.length, (long) wanted - committed));
        byte[] larger = new byte[Math.toIntExact(Math.min(wider, Integer.MAX_VALUE - 8))];
        System.arraycopy(array, committed, larger, 0, kept);
        array = larger;
      } else {
        System.arraycopy(array, committed, array, 0, kept);
      }
      wanted -= committed;
      committed = 0;
      at = 0;
      end = kept;
    }
    return end;
  }

  /** The array that {@link #room} made room in. */
  byte[] array() {
    return array;
  }

  /** Notes that bytes were put where {@link #room} said. */
  void appended(int size) {
    end += size;
  }

  /** Begins at the last commit; false if there are not enough bytes yet to go on from there. */
  boolean begin(int protocolVersion) {
    version = protocolVersion;
    at = committed;
    return end >= wanted && end > at;
  }

  /** The version of the protocol that the connection speaks. */
  int version() {
    return version;
  }

  /** Marks the bytes so far as read; they are not read again. */
  void commit() {
    committed = at;
    if (at == end && connection != null) {
      at = 0;
      end = 0;
      committed = 0;
      wanted = 0;
      if (array.length > SIZE_KEPT_MAX) {
        array = new byte[SIZE_FIRST];
      }
    }
  }

  boolean hasMore() {
    return at < end;
  }

  /** The failure in making objects of bytes since the last call, or null. */
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

  private void need(int size) {
    if (end - at < size) {
      wanted = (int) Math.min(Integer.MAX_VALUE, (long) at + size);
      throw IncompleteResponse.INSTANCE;
    }
  }

  int u8() {
    need(1);
    return array[at++] & 0xFF;
  }

  int u16() {
    need(Short.BYTES);
    return (array[at++] & 0xFF) << Byte.SIZE | (array[at++] & 0xFF);
  }

  int i32() {
    need(Integer.BYTES);
    int number = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      number = number << Byte.SIZE | (array[at++] & 0xFF);
    }
    return number;
  }

  long i64() {
    need(Long.BYTES);
    long number = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      number = number << Byte.SIZE | (array[at++] & 0xFF);
    }
    return number;
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
    byte[] bytes = Arrays.copyOfRange(array, at, at + length);
    at += length;
    return bytes;
  }

  String string() {
    int length = length();
    need(length);
    String text = new String(array, at, length, StandardCharsets.UTF_8);
    at += length;
    return text;
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
   * {@link #takeFailure} tells. For what only a user's marshaller can read {@link Undecoded} stands
   * if this reads from a connection: the caller's thread makes the object.
   */
  @Nullable Object object(ObjectFormat format) {
    int length = length();
    need(length);
    int start = at;
    at += length;
    if (connection != null && !format.isOurs(array, start, length)) {
      isUndecoded = true;
      return new Undecoded(format, Arrays.copyOfRange(array, start, at));
    }
    return object(format, array, start, length);
  }

  /** An object of bytes that were read before; as {@link #object(ObjectFormat)}. */
  @Nullable Object object(ObjectFormat format, byte[] bytes) {
    if (connection != null && !format.isOurs(bytes, 0, bytes.length)) {
      isUndecoded = true;
      return new Undecoded(format, bytes);
    }
    return object(format, bytes, 0, bytes.length);
  }

  private @Nullable Object object(ObjectFormat format, byte[] bytes, int start, int length) {
    try {
      return format.read(bytes, start, length);
    } catch (MarshallingException cause) {
      failure = cause;
      return null;
    }
  }

  /** A metadata block; absent fields are -1. Without the value. */
  MetadataValue<Boolean> metadata() {
    int flags = u8();
    boolean exact = (flags & HotRod.METADATA_MILLIS) != 0;
    boolean mortal = (flags & HotRod.METADATA_NO_LIFESPAN) == 0;
    long created = mortal ? i64() : -1;
    long lifespan = mortal ? timeMillis(exact) : -1;
    boolean idle = (flags & HotRod.METADATA_NO_MAX_IDLE) == 0;
    long lastUsed = idle ? i64() : -1;
    long maxIdle = idle ? timeMillis(exact) : -1;
    return new MetadataValue<>(true, i64(), created, lifespan, lastUsed, maxIdle);
  }

  private long timeMillis(boolean exact) {
    return exact ? vLong() : TimeUnit.SECONDS.toMillis(vInt());
  }

  /** Passes over a metadata block without exact times and returns its version. */
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
