package dev.isogrid.server.backup;

import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An entry of an archive, in the format of {@link ArchiveLayout}.
 *
 * @param createdMillis its creation, or -1 if it has no times
 * @param lifespanMillis its lifespan, or -1
 * @param maxIdleMillis its max idle, or -1
 * @param bytes its size in the archive
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ArchivedEntry(
    byte[] key,
    byte[] value,
    long createdMillis,
    long lifespanMillis,
    long maxIdleMillis,
    int clientFlags,
    @Nullable String mediaType,
    long bytes) {
  private static final byte[] NO_MEDIA_TYPE = {};

  /** Writes the entry of a window. */
  static void write(DataOutput out, EntryView<BinaryKey, Bytes> entry) throws IOException {
    byte[] key = entry.key().toByteArray();
    byte[] value = entry.value().toByteArray();
    String mediaType = entry.mediaType();
    byte[] type = mediaType == null ? NO_MEDIA_TYPE : mediaType.getBytes(StandardCharsets.UTF_8);
    boolean isMortal = entry.isMortal();
    out.writeInt(key.length);
    out.writeInt(value.length);
    out.writeLong(entry.version());
    out.writeLong(isMortal ? entry.createdMillis() : -1);
    out.writeLong(isMortal ? entry.lifespanMillis() : -1);
    out.writeLong(isMortal ? entry.maxIdleMillis() : -1);
    out.writeInt(entry.clientFlags());
    out.writeShort(type.length);
    out.write(type);
    out.write(key);
    out.write(value);
  }

  /**
   * Reads the next entry.
   *
   * @param left the bytes up to the end
   * @return the entry, or null if its lengths are impossible
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
    long bytes = (long) ArchiveLayout.ENTRY_FIXED + typeLength + keyLength + valueLength;
    if (keyLength < 0 || valueLength < 0 || bytes > left) {
      return null;
    }
    byte[] type = read(in, typeLength);
    byte[] key = read(in, keyLength);
    byte[] value = read(in, valueLength);
    return new ArchivedEntry(
        key,
        value,
        createdMillis,
        lifespanMillis,
        maxIdleMillis,
        clientFlags,
        typeLength == 0 ? null : new String(type, StandardCharsets.UTF_8),
        bytes);
  }

  private static byte[] read(DataInput in, int length) throws IOException {
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }
}
