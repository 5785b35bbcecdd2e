package dev.isogrid.journal;

import java.io.IOException;
import java.util.List;

/**
 * The folder of one journal; a test replaces it by one that fails, fills and forgets. All methods
 * block. For one thread at a time.
 *
 * <p>A new or deleted name outlives a loss of power only after {@link #forceNames}; the content of
 * a file only after {@link DiskFile#force}. Until then any part of either may be lost, in any
 * order.
 */
public interface Disk extends AutoCloseable {
  /** Returns the names of the files, in no order. */
  List<String> names() throws IOException;

  /** Returns whether there is a file of a name. Any thread. */
  boolean exists(String name) throws IOException;

  /** Creates a file for writing, or empties one that exists. */
  DiskFile create(String name) throws IOException;

  /**
   * Opens a file that exists, for reading and writing; for reading only on a read-only disk. Any
   * thread.
   */
  DiskFile open(String name) throws IOException;

  /** Returns when a file was last written, milliseconds since 1970; 0 if that is not known. */
  default long changedMillis(String name) throws IOException {
    return 0;
  }

  /** Deletes a file; no effect if there is none. */
  void delete(String name) throws IOException;

  /** Makes new and deleted names outlive a loss of power. */
  void forceNames() throws IOException;

  /** Returns the path of a file, or of the folder if the name is empty, for messages. */
  String path(String name);

  /** Lets other processes use the folder. Closing twice is harmless. */
  @Override
  void close() throws IOException;
}
