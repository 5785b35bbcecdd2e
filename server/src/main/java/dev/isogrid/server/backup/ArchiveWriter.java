package dev.isogrid.server.backup;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Writes an archive, one file after the other, with a buffer of fixed size. For one thread. */
final class ArchiveWriter implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;

  /** The fastest level: entries are mostly numbers and texts, which it halves. */
  private static final int COMPRESSION = 1;

  private final ZipOutputStream zip;
  private final List<BackupManifest.Part> parts = new ArrayList<>();

  /**
   * Begins an archive.
   *
   * @param out the target; closed with this
   */
  ArchiveWriter(OutputStream out) {
    zip = new ZipOutputStream(new BufferedOutputStream(out, BUFFER_BYTES));
    zip.setLevel(COMPRESSION);
  }

  /** Writes the content of a file. */
  @FunctionalInterface
  interface Body {
    /** Writes it, and returns the number of items in it. */
    long write(DataOutputStream out) throws IOException;
  }

  /** Adds a file; returns the number of items in it. */
  long add(BackupManifest.Content content, String name, String file, Body body) throws IOException {
    zip.putNextEntry(new ZipEntry(file));
    Checked checked = new Checked(zip);
    DataOutputStream out = new DataOutputStream(new BufferedOutputStream(checked, BUFFER_BYTES));
    long count = body.write(out);
    out.flush();
    zip.closeEntry();
    int crc = (int) checked.crc.getValue();
    parts.add(new BackupManifest.Part(content, name, file, checked.bytes, crc, count));
    return count;
  }

  /** Adds a file of text. */
  void add(BackupManifest.Content content, String name, String file, String text, long count)
      throws IOException {
    long _ =
        add(
            content,
            name,
            file,
            out -> {
              out.write(text.getBytes(StandardCharsets.UTF_8));
              return count;
            });
  }

  /** Completes the archive. */
  void finish(String created, String product) throws IOException {
    BackupManifest manifest = new BackupManifest(created, product, parts);
    zip.putNextEntry(new ZipEntry(ArchiveLayout.MANIFEST));
    zip.write(manifest.write().getBytes(StandardCharsets.UTF_8));
    zip.closeEntry();
    zip.finish();
    zip.flush();
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }

  /** Counts and checksums the bytes; its close does not close the target. */
  private static final class Checked extends FilterOutputStream {
    private final CRC32C crc = new CRC32C();
    private long bytes;

    Checked(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
      out.write(source, offset, length);
      crc.update(source, offset, length);
      bytes += length;
    }
  }
}
