package dev.isogrid.store;

import dev.isogrid.wire.KeyHash;
import dev.isogrid.wire.MediaTypes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An entry as bytes: the one place that knows where its fields are.
 *
 * <pre>
 * field        bytes            present if     meaning
 * flags        1                always         bits below
 * padding      7                MAX_IDLE       zero, so that the next field is aligned
 * last used    8, little end.   MAX_IDLE       ms since 1970; the only field that changes
 * sequence     1 to 6, varint   always         lower 39 bits of the version
 * created      1 to 9, varint   any of the two ms since 1970
 * lifespan     1 to 9, varint   LIFESPAN       ms
 * max idle     1 to 9, varint   MAX_IDLE       ms
 * client flags 4, little end.   CLIENT_FLAGS   memcached's bits
 * media type   1 (+ 1 + n)      MEDIA_TYPE     Hot Rod's number, or 0, length and ASCII
 * key length   1 to 5, varint   always
 * key          key length       always
 * value        rest             always         up to the end of the array
 * </pre>
 *
 * <p>A varint has the low 7 bits first; bit 7 says that more follow. The epoch of the version is
 * the segment's. No checksum: the bytes never leave the process.
 */
final class EntryLayout {
  static final int LIFESPAN = 1;
  static final int MAX_IDLE = 2;
  static final int CLIENT_FLAGS = 4;
  static final int MEDIA_TYPE = 8;

  static final int FLAGS_OFFSET = 0;
  static final int LAST_USED_OFFSET = 8;
  private static final int HEADER_BYTES_WITHOUT_IDLE = 1;
  private static final int HEADER_BYTES_WITH_IDLE = 16;

  /** The longest media type that is kept; longer ones are refused by the protocols. */
  static final int MEDIA_TYPE_LENGTH_MAX = 127;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private EntryLayout() {}

  /** The fields of an entry beside key and value. Reusable. */
  static final class Header {
    long sequence;
    long createdMillis;
    long lifespanMillis;
    long maxIdleMillis;
    int clientFlags;
    @Nullable String mediaType;

    private int flags() {
      return (lifespanMillis >= 0 ? LIFESPAN : 0)
          | (maxIdleMillis >= 0 ? MAX_IDLE : 0)
          | (clientFlags != 0 ? CLIENT_FLAGS : 0)
          | (mediaType != null ? MEDIA_TYPE : 0);
    }
  }

  /** Where in an entry the fields after the aligned ones begin. */
  static int variableOffset(int flags) {
    return (flags & MAX_IDLE) != 0 ? HEADER_BYTES_WITH_IDLE : HEADER_BYTES_WITHOUT_IDLE;
  }

  /** A new entry. */
  static byte[] encode(Header header, BinaryKey key, Bytes value) {
    int flags = header.flags();
    int mediaTypeId = header.mediaType == null ? 0 : MediaTypes.idOf(header.mediaType);
    byte[] entry = new byte[sizeOf(header, flags, mediaTypeId, key, value)];
    entry[FLAGS_OFFSET] = (byte) flags;
    int at = variableOffset(flags);
    at = putVarint(entry, at, header.sequence);
    if ((flags & (LIFESPAN | MAX_IDLE)) != 0) {
      at = putVarint(entry, at, header.createdMillis);
    }
    if ((flags & LIFESPAN) != 0) {
      at = putVarint(entry, at, header.lifespanMillis);
    }
    if ((flags & MAX_IDLE) != 0) {
      LONG.set(entry, LAST_USED_OFFSET, header.createdMillis);
      at = putVarint(entry, at, header.maxIdleMillis);
    }
    if ((flags & CLIENT_FLAGS) != 0) {
      INT.set(entry, at, header.clientFlags);
      at += Integer.BYTES;
    }
    if ((flags & MEDIA_TYPE) != 0) {
      at = putMediaType(entry, at, mediaTypeId, Objects.requireNonNull(header.mediaType));
    }
    at = putVarint(entry, at, key.length());
    key.copyTo(entry, at);
    value.copyTo(entry, at + key.length());
    return entry;
  }

  private static int sizeOf(Header header, int flags, int mediaTypeId, BinaryKey key, Bytes value) {
    int size = variableOffset(flags) + varintSize(header.sequence);
    if ((flags & (LIFESPAN | MAX_IDLE)) != 0) {
      size += varintSize(header.createdMillis);
    }
    if ((flags & LIFESPAN) != 0) {
      size += varintSize(header.lifespanMillis);
    }
    if ((flags & MAX_IDLE) != 0) {
      size += varintSize(header.maxIdleMillis);
    }
    if ((flags & CLIENT_FLAGS) != 0) {
      size += Integer.BYTES;
    }
    if (header.mediaType != null) {
      size += mediaTypeId != 0 ? 1 : 2 + header.mediaType.length();
    }
    return Math.addExact(size + varintSize(key.length()) + key.length(), value.length());
  }

  private static int putMediaType(byte[] entry, int at, int id, String mediaType) {
    entry[at++] = (byte) id;
    if (id != 0) {
      return at;
    }
    byte[] ascii = mediaType.getBytes(StandardCharsets.US_ASCII);
    assert ascii.length <= MEDIA_TYPE_LENGTH_MAX;
    entry[at++] = (byte) ascii.length;
    System.arraycopy(ascii, 0, entry, at, ascii.length);
    return at + ascii.length;
  }

  /** Whether an entry has a limited life. */
  static boolean isMortal(byte[] entry) {
    return (entry[FLAGS_OFFSET] & (LIFESPAN | MAX_IDLE)) != 0;
  }

  /** Whether an entry is that of a key. */
  static boolean isKey(byte[] entry, BinaryKey key) {
    int at = keyLengthOffset(entry);
    int length = (int) varint(entry, at);
    return length == key.length() && key.equalsRange(entry, afterVarint(entry, at), length);
  }

  /** The hash of an entry's key. */
  static int keyHash(byte[] entry) {
    int at = keyLengthOffset(entry);
    return KeyHash.hash(entry, afterVarint(entry, at), (int) varint(entry, at));
  }

  private static int keyLengthOffset(byte[] entry) {
    int flags = entry[FLAGS_OFFSET];
    int at = afterVarint(entry, variableOffset(flags));
    return flags == 0 ? at : keyLengthOffset(entry, flags, at);
  }

  /** The offset of the key's length, given that of the first field after the sequence. */
  private static int keyLengthOffset(byte[] entry, int flags, int at) {
    at = clientFlagsOffset(entry, flags, at);
    if ((flags & CLIENT_FLAGS) != 0) {
      at += Integer.BYTES;
    }
    return (flags & MEDIA_TYPE) != 0 ? afterMediaType(entry, at) : at;
  }

  /** The offset after the times, given that of the first field after the sequence. */
  static int clientFlagsOffset(byte[] entry, int flags, int at) {
    int times = Integer.bitCount(flags & (LIFESPAN | MAX_IDLE));
    for (int i = times == 0 ? 0 : times + 1; i > 0; i--) {
      at = afterVarint(entry, at);
    }
    return at;
  }

  /** The media type at an offset. */
  static @Nullable String mediaType(byte[] entry, int at) {
    int id = entry[at];
    return id != 0
        ? MediaTypes.nameOf(id)
        : new String(entry, at + 2, entry[at + 1], StandardCharsets.US_ASCII);
  }

  /** The offset after the media type at an offset. */
  static int afterMediaType(byte[] entry, int at) {
    return entry[at] != 0 ? at + 1 : at + 2 + entry[at + 1];
  }

  static int clientFlags(byte[] entry, int at) {
    return (int) INT.get(entry, at);
  }

  static long lastUsed(byte[] entry) {
    return (long) LONG.get(entry, LAST_USED_OFFSET);
  }

  static void setLastUsed(byte[] entry, long nowMillis) {
    LONG.set(entry, LAST_USED_OFFSET, nowMillis); // arrays of bytes offer no stronger mode
  }

  static int varintSize(long number) {
    return number == 0 ? 1 : (70 - Long.numberOfLeadingZeros(number)) / 7;
  }

  static int putVarint(byte[] array, int at, long number) {
    while ((number & ~0x7FL) != 0) {
      array[at++] = (byte) (number | 0x80);
      number >>>= 7;
    }
    array[at] = (byte) number;
    return at + 1;
  }

  /** The varint that ends before the offset that {@link #afterVarint} gives. */
  static long varint(byte[] array, int at) {
    long number = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = array[at++];
      number |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return number;
      }
    }
  }

  static int afterVarint(byte[] array, int at) {
    while (array[at] < 0) {
      at++;
    }
    return at + 1;
  }
}
