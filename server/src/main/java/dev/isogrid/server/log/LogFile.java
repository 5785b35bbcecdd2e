package dev.isogrid.server.log;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A file of lines. When it is full it gets the suffix {@code .1}, older ones the next number, and
 * the oldest one is removed. Thread-safe; a line is written under a lock, as to any stream.
 */
final class LogFile {
  private final Path path;
  private final long sizeMax;
  private final int filesMax;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private @Nullable OutputStream out;
  private long size;

  /**
   * Opens a file, appending to an existing one.
   *
   * @param sizeMax the size of a full file, in bytes; a longer line exceeds it
   * @param filesMax the most files, 1 or more
   * @throws IOException if it can't be written
   */
  LogFile(Path path, long sizeMax, int filesMax) throws IOException {
    this.path = path;
    this.sizeMax = sizeMax;
    this.filesMax = filesMax;
    open();
  }

  private void open() throws IOException {
    out = Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    size = Files.size(path);
  }

  /** Writes a line; returns false if the disk refuses it. */
  boolean tryWrite(String line) {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    lock.lock();
    try {
      if (size > 0 && size + bytes.length > sizeMax) {
        rotate();
      }
      OutputStream target = out;
      if (target == null) {
        open(); // it could not be opened before
        target = out;
      }
      if (target == null) {
        return false;
      }
      target.write(bytes);
      size += bytes.length;
      return true;
    } catch (IOException _) {
      return false; // the caller writes the line elsewhere
    } finally {
      lock.unlock();
    }
  }

  private void rotate() throws IOException {
    OutputStream full = out;
    out = null;
    if (full != null) {
      full.close();
    }
    for (int i = filesMax - 1; i > 0; i--) {
      Path older = numbered(i - 1);
      if (Files.exists(older)) {
        Files.move(older, numbered(i), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    if (filesMax == 1) {
      Files.deleteIfExists(path);
    }
    open();
  }

  private Path numbered(int number) {
    return number == 0 ? path : path.resolveSibling(path.getFileName() + "." + number);
  }
}
