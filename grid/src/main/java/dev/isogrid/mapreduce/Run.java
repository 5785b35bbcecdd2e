package dev.isogrid.mapreduce;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;

/** Sorted pairs, in memory or on disk; {@link RunCursor} has their form. Immutable. */
sealed interface Run {
  /** The size. */
  long bytes();

  /** A new cursor over it. */
  RunCursor cursor();

  /** The bytes that it takes of this node's heap. */
  default long heapBytes() {
    return 0;
  }

  /** Frees it. */
  void free();

  /** Frees it, and removes the external storage of an attempt that does not count. */
  default void discard(long attempt) {
    free();
  }

  /** In memory: a part of an array. */
  @SuppressWarnings("ArrayRecordComponent") // not compared; a run is one part of one message
  record InMemory(byte[] array, int from) implements Run {
    @Override
    public long bytes() {
      return (long) array.length - from;
    }

    @Override
    public long heapBytes() {
      return bytes();
    }

    @Override
    public RunCursor cursor() {
      return RunCursor.ofMemory(array, from, array.length);
    }

    @Override
    public void free() {}
  }

  /**
   * In a cache of the user's choice, where it stays until the task ends: the sender may send it to
   * another node.
   */
  record InCache(PairCache cache, PairEntry entry) implements Run {
    @Override
    public long bytes() {
      return entry.bytes();
    }

    @Override
    public RunCursor cursor() {
      return RunCursor.ofSource(
          (target, position) -> cache.read(entry, target, position), entry.bytes());
    }

    @Override
    public void free() {}

    @Override
    public void discard(long attempt) {
      if (entry.attempt() == attempt) { // else it is what another attempt sent again
        cache.discard(entry);
      }
    }
  }

  /** On disk: a file of its own, whose name is already removed if the system allows that. */
  record OnDisk(FileChannel file, long bytes) implements Run {
    private static final int BUFFER_BYTES = 64 << 10;

    @Override
    public RunCursor cursor() {
      return RunCursor.ofSource(file::read, bytes);
    }

    @Override
    public void free() {
      try {
        file.close();
      } catch (IOException e) {
        throw new UncheckedIOException("file of pairs can't be closed", e);
      }
    }

    /** Writes a run; {@code pairs} appends them to a buffer, and calls its argument often. */
    static OnDisk write(Consumer<Output> pairs) {
      try {
        FileChannel file = open();
        try {
          Output output = new Output(file);
          pairs.accept(output);
          output.write();
          return new OnDisk(file, file.position());
        } catch (IOException | RuntimeException failure) {
          file.close();
          throw failure;
        }
      } catch (IOException e) {
        throw new UncheckedIOException(
            "pairs can't be written to disk; make room in the folder"
                + " for temporary files, or give the process more memory",
            e);
      }
    }

    /** A new file for pairs, gone when it is closed, or the process ends. */
    static FileChannel open() throws IOException {
      // The number identifies the owner of a remaining file.
      Path path =
          Files.createTempFile("isogrid-pairs-" + ProcessHandle.current().pid() + "-", ".tmp");
      FileChannel file =
          FileChannel.open(
              path,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
      // Without a name, no file remains, however the process ends. Windows refuses that, and
      // deletes later.
      boolean _ = path.toFile().delete();
      return file;
    }
  }

  /** The output of pairs to disk. For one thread. */
  final class Output {
    final PairBytes buffer = new PairBytes(OnDisk.BUFFER_BYTES);
    private final FileChannel file;

    private Output(FileChannel file) {
      this.file = file;
    }

    /** Writes the buffer if it is full. Call this after each pair. */
    void afterPair() {
      if (buffer.length() >= OnDisk.BUFFER_BYTES) {
        try {
          write();
        } catch (IOException e) {
          throw new UncheckedIOException("pairs can't be written to disk", e);
        }
      }
    }

    private void write() throws IOException {
      ByteBuffer bytes = ByteBuffer.wrap(buffer.array(), 0, buffer.length());
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
      buffer.truncate(0);
    }
  }
}
