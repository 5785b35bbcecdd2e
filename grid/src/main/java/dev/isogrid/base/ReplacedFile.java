package dev.isogrid.base;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.Objects;

/**
 * A file that is only replaced as a whole: it has one content or the next, whenever the process or
 * the machine stops. The next content is written to a draft beside it, forced to the disk and
 * renamed; then the folder is forced, so that the new name survives a power failure. For one thread
 * at a time; methods block.
 *
 * <p>Methods throw {@link IOException} with a message that names the file and the reason.
 */
public final class ReplacedFile {
  /** The suffix of a draft's name. A killed process leaves its draft. */
  public static final String DRAFT_SUFFIX = ".draft";

  private final Path file;
  private final Path draftFile;
  private final FileAccess access;
  private final FileAttribute<?>[] attributes;

  /**
   * Makes a file, which need not exist yet.
   *
   * @param file in a folder that exists
   * @param attributes of each new content, such as its permissions
   */
  public ReplacedFile(Path file, FileAccess access, FileAttribute<?>... attributes) {
    this.file = file;
    this.draftFile = file.resolveSibling(file.getFileName() + DRAFT_SUFFIX);
    this.access = access;
    this.attributes = attributes.clone();
  }

  /** Returns the file. */
  public Path path() {
    return file;
  }

  /**
   * Replaces the content. After the return, it survives a power failure.
   *
   * @throws IOException if the disk refuses it; the former content stays, unless only the folder
   *     could not be forced
   */
  public void write(ByteBuffer content) throws IOException {
    try (Draft draft = draft(content)) {
      draft.keep();
    }
  }

  /**
   * Checks that the disk has room for this many more bytes, by writing and deleting them.
   *
   * @throws IOException if it has not
   */
  public void probe(int bytes) throws IOException {
    draft(ByteBuffer.allocate(bytes)).close();
  }

  /**
   * Writes and forces the next content, which is not in force yet.
   *
   * @throws IOException if the disk refuses it; then there is no draft
   */
  public Draft draft(ByteBuffer content) throws IOException {
    Draft draft = null;
    try {
      Files.deleteIfExists(draftFile);
      draft = new Draft(access.create(draftFile, attributes));
      long position = 0;
      while (content.hasRemaining()) {
        position += access.write(draft.channel, content, position);
      }
      access.force(draft.channel);
      return draft;
    } catch (IOException failure) {
      IOException named = named(failure);
      if (draft != null) {
        draft.closeAfter(named);
      }
      throw named;
    }
  }

  /**
   * Deletes the file. After the return, it does not come back after a power failure.
   *
   * @return whether it existed
   */
  public boolean delete() throws IOException {
    try {
      boolean isDeleted = Files.deleteIfExists(file);
      if (isDeleted) {
        forceFolder();
      }
      return isDeleted;
    } catch (IOException failure) {
      throw named(failure);
    }
  }

  private void forceFolder() throws IOException {
    access.forceFolder(Objects.requireNonNull(file.toAbsolutePath().getParent()));
  }

  private IOException named(IOException failure) {
    String type = failure.getClass().getSimpleName();
    String reason = failure.getMessage() == null ? type : type + " " + failure.getMessage();
    return new IOException("file=%s, reason=%s".formatted(file, reason), failure);
  }

  /** A written and forced content. {@link #close} deletes it unless it was kept. */
  public final class Draft implements AutoCloseable {
    private final FileChannel channel;
    private boolean isMoved;

    private Draft(FileChannel channel) {
      this.channel = channel;
    }

    /**
     * Makes it the content. After the return, it survives a power failure.
     *
     * @throws IOException if the disk refuses it; the former content stays, unless {@link #isMoved}
     */
    public void keep() throws IOException {
      try {
        access.move(draftFile, file);
        isMoved = true;
        forceFolder();
      } catch (IOException failure) {
        throw named(failure);
      }
    }

    /** Whether it is the content of the file, though maybe not permanently. */
    public boolean isMoved() {
      return isMoved;
    }

    /** The path of the draft until it is kept. */
    public Path path() {
      return draftFile;
    }

    /** Returns the open file, for writers that append; {@link #close} closes it. */
    public FileChannel channel() {
      return channel;
    }

    /** Closes the file; deletes the draft if it was not kept. Closing twice is harmless. */
    @Override
    public void close() throws IOException {
      try {
        channel.close();
      } finally {
        if (!isMoved) {
          Files.deleteIfExists(draftFile);
        }
      }
    }

    private void closeAfter(IOException failure) {
      try {
        close();
      } catch (IOException alsoFailed) {
        failure.addSuppressed(alsoFailed);
      }
    }
  }
}
