package dev.isogrid.server.backup;

import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.DetachedEntry;
import dev.isogrid.store.EntryView;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An entry of an archive but for its value, in the format of {@link ArchiveLayout}.
 *
 * @param valueLength the bytes of its value, which follows
 * @param version that of the write that made it; 0 if it was read from an archive
 * @param createdMillis its creation, or -1 if it has no times
 * @param lifespanMillis its lifespan, or -1
 * @param maxIdleMillis its max idle, or -1
 * @param bytes its size in the archive, with its value
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ArchivedEntry(
    byte[] key,
    int valueLength,
    long version,
    long createdMillis,
    long lifespanMillis,
    long maxIdleMillis,
    int clientFlags,
    @Nullable String mediaType,
    long bytes) {
  /**
   * The largest value that is copied as a whole, since nodes send each other no larger ones. Larger
   * ones are copied in parts.
   */
  static final int WHOLE_VALUE_MAX = 48 << 20;

  /** Copies the entry of a window, but for its value. */
  static ArchivedEntry of(EntryView<BinaryKey, Bytes> entry) {
    boolean isMortal = entry.isMortal();
    byte[] key = entry.key().toByteArray();
    int valueLength = entry.value().length();
    String mediaType = entry.mediaType();
    return new ArchivedEntry(
        key,
        valueLength,
        entry.version(),
        isMortal ? entry.createdMillis() : -1,
        isMortal ? entry.lifespanMillis() : -1,
        isMortal ? entry.maxIdleMillis() : -1,
        entry.clientFlags(),
        mediaType,
        size(key.length, valueLength, utf8(mediaType).length));
  }

  private static long size(int keyLength, int valueLength, int typeLength) {
    return (long) ArchiveLayout.ENTRY_FIXED + typeLength + keyLength + valueLength;
  }

  private static byte[] utf8(@Nullable String text) {
    return text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
  }

  /** Writes all but the value, which the caller must write next. */
  void write(DataOutput out) throws IOException {
    byte[] type = utf8(mediaType);
    out.writeInt(key.length);
    out.writeInt(valueLength);
    out.writeLong(version);
    out.writeLong(createdMillis);
    out.writeLong(lifespanMillis);
    out.writeLong(maxIdleMillis);
    out.writeInt(clientFlags);
    out.writeShort(type.length);
    out.write(type);
    out.write(key);
  }

  /**
   * Reads the next entry up to its value.
   *
   * @param left the bytes up to the end
   * @return the entry, or null if its lengths or its media type are impossible
   */
  static @Nullable ArchivedEntry read(DataInput in, long left) throws IOException {
    int keyLength = in.readInt();
    int valueLength = in.readInt();
    long _ = in.readLong(); // the version
    long createdMillis = in.readLong();
    long lifespanMillis = in.readLong();
    long maxIdleMillis = in.readLong();
    int clientFlags = in.readInt();
    int typeLength = in.readUnsignedShort();
    long bytes = size(keyLength, valueLength, typeLength);
    if (keyLength < 0 || valueLength < 0 || bytes > left) {
      return null;
    }
    String type = typeLength == 0 ? null : new String(read(in, typeLength), StandardCharsets.UTF_8);
    if (type != null && !DetachedEntry.isMediaType(type)) {
      return null;
    }
    byte[] key = read(in, keyLength);
    return new ArchivedEntry(
        key,
        valueLength,
        0,
        createdMillis,
        lifespanMillis,
        maxIdleMillis,
        clientFlags,
        type,
        bytes);
  }

  private static byte[] read(DataInput in, int length) throws IOException {
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }
}
