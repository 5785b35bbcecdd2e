package dev.isogrid.base;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The sole use of a folder, among all users in this process and all processes. Thread-safe. */
public final class FolderLock implements AutoCloseable {
  /*
   * A lock of the system belongs to the process. On POSIX it ends when the process closes any
   * channel of the file, even one that never had the lock. So the file is opened only by the one
   * user in this process that has the folder, and TAKEN says who that is.
   */

  /** The name of the file in the folder whose lock says that a process uses the folder. */
  public static final String FILE_NAME = "lock";

  /**
   * The folders in use, by their real paths. Static, since the system's locks are the whole
   * process's as well.
   */
  private static final Set<Path> TAKEN = ConcurrentHashMap.newKeySet();

  /** A folder has another user. */
  public static final class InUseException extends IOException {
    private static final long serialVersionUID = 1L;

    private InUseException(String message) {
      super(message);
    }
  }

  private final Path folder;
  private final FileChannel file;
  private final AtomicBoolean isClosed = new AtomicBoolean();

  private FolderLock(Path folder, FileChannel file) {
    this.folder = folder;
    this.file = file;
  }

  /**
   * Takes a folder into use, until {@link #close}.
   *
   * @param folder must exist
   * @throws InUseException if it is in use; the message says by what
   * @throws IOException if its lock file can't be written
   */
  public static FolderLock take(Path folder) throws IOException {
    Path real = folder.toRealPath();
    if (!TAKEN.add(real)) {
      throw inUseHere(folder);
    }
    boolean mayTakeAgain = true;
    FileChannel file = null;
    try {
      file =
          FileChannel.open(
              real.resolve(FILE_NAME), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (file.tryLock() == null) {
        throw new InUseException(
            "folder is in use by another process: folder=%s; end it, or name another folder"
                .formatted(folder));
      }
      mayTakeAgain = false;
      return new FolderLock(real, file);
    } catch (OverlappingFileLockException _) {
      // Classes of another loader, or another path, have it: closing the channel would end their
      // lock, so it stays open, and the path taken.
      mayTakeAgain = false;
      throw inUseHere(folder);
    } finally {
      if (mayTakeAgain) {
        giveBack(real, file);
      }
    }
  }

  private static InUseException inUseHere(Path folder) {
    return new InUseException(
        ("folder is in use by this process already: folder=%s; give each grid and each cache a"
                + " folder of its own, or close the other one first")
            .formatted(folder));
  }

  private static void giveBack(Path real, @Nullable FileChannel file) throws IOException {
    try {
      if (file != null) {
        file.close();
      }
    } finally {
      TAKEN.remove(real);
    }
  }

  /** Gives the folder back; closing twice is harmless. */
  @Override
  public void close() throws IOException {
    if (isClosed.compareAndSet(false, true)) {
      giveBack(folder, file);
    }
  }
}
