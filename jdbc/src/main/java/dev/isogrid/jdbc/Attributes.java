package dev.isogrid.jdbc;

import dev.isogrid.api.Expiry;
import dev.isogrid.api.StoreEntry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of an entry beside key, value and lifespan, as the bytes of a column:
 *
 * <pre>
 *   max idle in ms, or -1   8 bytes, big-endian
 *   flags of memcached      4 bytes
 *   media type              the rest, UTF-8; none if empty
 * </pre>
 */
record Attributes(long maxIdleMillis, int clientFlags, @Nullable String mediaType) {
  private static final Attributes NONE = new Attributes(Expiry.UNLIMITED, 0, null);
  private static final int FIXED_LENGTH = Long.BYTES + Integer.BYTES;

  /** The attributes of an entry. */
  static Attributes of(StoreEntry<?, ?> entry) {
    return new Attributes(entry.maxIdleMillis(), entry.clientFlags(), entry.mediaType());
  }

  /** Reads the bytes of {@link #toBytes}; null if there are none. */
  static Attributes read(byte @Nullable [] bytes) {
    if (bytes == null || bytes.length < FIXED_LENGTH) {
      return NONE;
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    long maxIdleMillis = buffer.getLong();
    int clientFlags = buffer.getInt();
    String mediaType = StandardCharsets.UTF_8.decode(buffer).toString();
    return new Attributes(maxIdleMillis, clientFlags, mediaType.isEmpty() ? null : mediaType);
  }

  /** The bytes of the column, or null if no attribute is set. */
  byte @Nullable [] toBytes() {
    if (maxIdleMillis < 0 && clientFlags == 0 && mediaType == null) {
      return null;
    }
    byte[] text = mediaType == null ? new byte[0] : mediaType.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(FIXED_LENGTH + text.length)
        .putLong(maxIdleMillis)
        .putInt(clientFlags)
        .put(text)
        .array();
  }
}
