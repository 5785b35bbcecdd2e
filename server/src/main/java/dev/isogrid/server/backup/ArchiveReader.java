package dev.isogrid.server.backup;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** Reads an archive with a buffer of fixed size, except for its texts. For one thread. */
final class ArchiveReader implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final String archive;
  private final ZipFile zip;
  private final BackupManifest manifest;

  private ArchiveReader(String archive, ZipFile zip, BackupManifest manifest) {
    this.archive = archive;
    this.zip = zip;
    this.manifest = manifest;
  }

  /**
   * Opens an archive.
   *
   * @param archive its name in messages
   * @throws DamagedArchiveException if it is not an archive of a backup
   */
  static ArchiveReader open(Path file, String archive) throws IOException {
    ZipFile zip;
    try {
      zip = new ZipFile(file.toFile());
    } catch (ZipException failure) {
      throw new DamagedArchiveException(archive, "-", -1, "no ZIP file: " + failure.getMessage());
    }
    try {
      String text = text(archive, zip, ArchiveLayout.MANIFEST);
      return new ArchiveReader(archive, zip, BackupManifest.read(text));
    } catch (IOException failure) {
      zip.close();
      throw failure;
    } catch (IllegalArgumentException failure) {
      zip.close();
      throw new DamagedArchiveException(
          archive, ArchiveLayout.MANIFEST, -1, String.valueOf(failure.getMessage()));
    }
  }

  BackupManifest manifest() {
    return manifest;
  }

  /**
   * Reads the whole archive.
   *
   * @throws DamagedArchiveException if anything differs from the checksums
   */
  void verify() throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    for (BackupManifest.Part part : manifest.parts()) {
      verify(part, buffer);
    }
  }

  private void verify(BackupManifest.Part part, byte[] buffer) throws IOException {
    CRC32C crc = new CRC32C();
    long bytes = 0;
    try (InputStream in = stream(archive, zip, part.file())) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        crc.update(buffer, 0, read);
        bytes += read;
      }
    } catch (ZipException | EOFException failure) {
      throw new DamagedArchiveException(
          archive, part.file(), bytes, String.valueOf(failure.getMessage()));
    }
    if (bytes != part.bytes() || (int) crc.getValue() != part.crc()) {
      throw new DamagedArchiveException(
          archive,
          part.file(),
          -1,
          "%d bytes with checksum %08x, and %d with %08x were written"
              .formatted(bytes, (int) crc.getValue(), part.bytes(), part.crc()));
    }
  }

  /** A text of the archive. */
  String text(BackupManifest.Part part) throws IOException {
    return text(archive, zip, part.file());
  }

  private static String text(String archive, ZipFile zip, String file) throws IOException {
    try (InputStream in = stream(archive, zip, file)) {
      byte[] bytes = in.readNBytes(ArchiveLayout.TEXT_BYTES_MAX + 1);
      if (bytes.length > ArchiveLayout.TEXT_BYTES_MAX) {
        throw new DamagedArchiveException(
            archive, file, bytes.length, "more than %d bytes".formatted(bytes.length - 1));
      }
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (ZipException | EOFException failure) {
      throw new DamagedArchiveException(archive, file, -1, String.valueOf(failure.getMessage()));
    }
  }

  private static InputStream stream(String archive, ZipFile zip, String file) throws IOException {
    ZipEntry entry = zip.getEntry(file);
    if (entry == null) {
      throw new DamagedArchiveException(archive, file, -1, "no such file in the archive");
    }
    return zip.getInputStream(entry);
  }

  /** Receives entries. */
  @FunctionalInterface
  interface EntryTaker {
    /**
     * Receives an entry, which owns its arrays.
     *
     * @param in begins with the value; the taker must read all of the value
     */
    void take(ArchivedEntry entry, DataInputStream in) throws IOException;
  }

  /**
   * Reads the entries of a cache.
   *
   * @throws DamagedArchiveException if they do not have the format of a backup
   */
  void entries(BackupManifest.Part part, EntryTaker taker) throws IOException {
    long left = part.bytes() - ArchiveLayout.ENTRIES_HEADER;
    long count = 0;
    try (DataInputStream in = new DataInputStream(stream(archive, zip, part.file()))) {
      if (in.readLong() != ArchiveLayout.ENTRIES_MAGIC) {
        throw new DamagedArchiveException(archive, part.file(), 0, "no entries");
      }
      for (; left > 0; count++) {
        ArchivedEntry entry = ArchivedEntry.read(in, left);
        if (entry == null) {
          throw new DamagedArchiveException(
              archive, part.file(), part.bytes() - left, "entry of an impossible length or type");
        }
        left -= entry.bytes();
        taker.take(entry, in);
      }
    } catch (ZipException | EOFException failure) {
      throw new DamagedArchiveException(
          archive, part.file(), part.bytes() - left, String.valueOf(failure.getMessage()));
    }
    if (count != part.count()) {
      throw new DamagedArchiveException(
          archive, part.file(), -1, "%d entries of %d".formatted(count, part.count()));
    }
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }
}
