package dev.isogrid.journal;

import java.io.IOException;
import java.nio.ByteBuffer;

/** An open file of a {@link Disk}. All methods block. For one thread at a time. */
public interface DiskFile extends AutoCloseable {
  /** Returns the number of bytes. */
  long size() throws IOException;

  /** Reads from a position on until the buffer is full or the file ends. Any thread. */
  void read(ByteBuffer target, long position) throws IOException;

  /** Writes all that remains in the buffer. */
  void write(ByteBuffer source, long position) throws IOException;

  /** Cuts off what is beyond a size. */
  void truncate(long size) throws IOException;

  /** Makes the content and the size outlive a loss of power. */
  void force() throws IOException;

  @Override
  void close() throws IOException;
}
