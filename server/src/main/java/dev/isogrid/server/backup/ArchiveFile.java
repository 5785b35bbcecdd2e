package dev.isogrid.server.backup;

import dev.isogrid.base.FileAccess;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A file that is valid only when it is complete: it is written under another name. Closing it
 * without {@link #keep} deletes it. For one thread at a time.
 */
public final class ArchiveFile extends OutputStream {
  /** The suffix of incomplete files. */
  static final String DRAFT_SUFFIX = ".part";

  private final Path file;
  private final Path draft;
  private final FileAccess access;
  private final FileChannel channel;
  private long written;
  private boolean isKept;

  /** Creates the draft, replacing an existing one. */
  ArchiveFile(Path file, FileAccess access) throws IOException {
    this.file = file;
    this.draft = file.resolveSibling(file.getFileName() + DRAFT_SUFFIX);
    this.access = access;
    Files.deleteIfExists(draft);
    this.channel = access.create(draft);
  }

  /** The final file. */
  Path file() {
    return file;
  }

  /** The file of the draft. */
  public Path draft() {
    return draft;
  }

  /** The bytes that were written so far. */
  public long written() {
    return written;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    write(ByteBuffer.wrap(bytes, offset, length));
  }

  /** Appends what remains in a buffer. */
  public void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      written += access.write(channel, bytes, written);
    }
  }

  /** Renames the draft to the final file. After the return, it survives a power failure. */
  void keep() throws IOException {
    access.force(channel);
    channel.close();
    access.move(draft, file);
    isKept = true;
    access.forceFolder(Objects.requireNonNull(file.toAbsolutePath().getParent()));
  }

  /** Deletes the draft, unless it was kept. Closing twice is harmless. */
  @Override
  public void close() throws IOException {
    channel.close();
    if (!isKept) {
      Files.deleteIfExists(draft);
    }
  }
}
