package dev.isogrid.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * The first bytes of a file, as {@link JournalLayout} has them.
 *
 * @param epoch the epoch of versions
 * @param number of the file
 * @param oldest number of the first file that counted when this one was created
 * @param floor the greatest version that was given before
 * @param identity of the journal
 * @param scope the cache
 */
record FileHeader(
    int epoch, long number, long oldest, long floor, UUID identity, JournalScope scope) {

  /** Returns its bytes. */
  byte[] toBytes() {
    byte[] name = scope.cache().getBytes(StandardCharsets.UTF_8);
    byte[] content = scope.content().getBytes(StandardCharsets.UTF_8);
    byte[] bytes = new byte[JournalLayout.FILE_FIXED + name.length + content.length];
    ByteBuffer view = JournalLayout.view(bytes);
    view.putLong(0, JournalLayout.MAGIC)
        .putInt(JournalLayout.FILE_LENGTH, bytes.length)
        .putInt(JournalLayout.FILE_VERSION, JournalLayout.VERSION)
        .putInt(JournalLayout.FILE_EPOCH, epoch)
        .putLong(JournalLayout.FILE_NUMBER, number)
        .putLong(JournalLayout.FILE_OLDEST, oldest)
        .putLong(JournalLayout.FILE_FLOOR, floor)
        .putLong(JournalLayout.FILE_IDENTITY_HIGH, identity.getMostSignificantBits())
        .putLong(JournalLayout.FILE_IDENTITY_LOW, identity.getLeastSignificantBits())
        .putInt(JournalLayout.FILE_SEGMENTS, scope.segments())
        .putShort(JournalLayout.FILE_NAME_LENGTH, (short) name.length)
        .putShort(JournalLayout.FILE_CONTENT_LENGTH, (short) content.length)
        .put(JournalLayout.FILE_FIXED, name)
        .put(JournalLayout.FILE_FIXED + name.length, content)
        .putInt(
            JournalLayout.FILE_CRC,
            JournalLayout.crc(bytes, JournalLayout.FILE_LENGTH, bytes.length));
    return bytes;
  }

  /** Returns the number of its bytes. */
  int length() {
    return toBytes().length;
  }

  /**
   * Reads the header of a file.
   *
   * @param number what the file's name says
   * @throws DamagedJournalException if it is not whole, or of another format
   */
  static FileHeader read(Disk disk, DiskFile file, long number) throws IOException {
    String path = disk.path(JournalLayout.fileName(number));
    ByteBuffer fixed = read(file, JournalLayout.FILE_FIXED);
    if (fixed.remaining() < JournalLayout.FILE_FIXED || fixed.getLong(0) != JournalLayout.MAGIC) {
      throw new DamagedJournalException(path, 0, "no header of a journal");
    }
    int length = fixed.getInt(JournalLayout.FILE_LENGTH);
    ByteBuffer view =
        length < JournalLayout.FILE_FIXED || length > JournalLayout.FILE_HEADER_MAX
            ? fixed
            : read(file, length);
    boolean isWhole =
        view.remaining() == length
            && view.getInt(JournalLayout.FILE_CRC)
                == JournalLayout.crc(view, JournalLayout.FILE_LENGTH, length);
    if (!isWhole) {
      throw new DamagedJournalException(path, 0, "header with a wrong checksum");
    }
    int version = view.getInt(JournalLayout.FILE_VERSION);
    if (version != JournalLayout.VERSION) {
      throw new IOException(
          ("format of a journal is unknown: file=%s, format=%d, known=%d; use the release that"
                  + " wrote it")
              .formatted(path, version, JournalLayout.VERSION));
    }
    return read(view, path, number);
  }

  private static FileHeader read(ByteBuffer view, String path, long number) throws IOException {
    int nameLength = Short.toUnsignedInt(view.getShort(JournalLayout.FILE_NAME_LENGTH));
    int contentLength = Short.toUnsignedInt(view.getShort(JournalLayout.FILE_CONTENT_LENGTH));
    int segments = view.getInt(JournalLayout.FILE_SEGMENTS);
    boolean isFitting =
        JournalLayout.FILE_FIXED + nameLength + contentLength == view.remaining()
            && segments >= 1
            && view.getLong(JournalLayout.FILE_NUMBER) == number;
    if (!isFitting) {
      throw new DamagedJournalException(path, 0, "header of another file");
    }
    byte[] bytes = new byte[view.remaining()];
    view.get(0, bytes);
    int content = JournalLayout.FILE_FIXED + nameLength;
    return new FileHeader(
        view.getInt(JournalLayout.FILE_EPOCH),
        number,
        view.getLong(JournalLayout.FILE_OLDEST),
        view.getLong(JournalLayout.FILE_FLOOR),
        new UUID(
            view.getLong(JournalLayout.FILE_IDENTITY_HIGH),
            view.getLong(JournalLayout.FILE_IDENTITY_LOW)),
        new JournalScope(
            new String(bytes, JournalLayout.FILE_FIXED, nameLength, StandardCharsets.UTF_8),
            new String(bytes, content, contentLength, StandardCharsets.UTF_8),
            segments));
  }

  private static ByteBuffer read(DiskFile file, int length) throws IOException {
    ByteBuffer view = JournalLayout.view(new byte[length]);
    file.read(view, 0);
    return view.flip();
  }
}
