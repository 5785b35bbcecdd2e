package dev.isogrid.structure;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.base.FileAccess;
import dev.isogrid.base.ReplacedFile;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The file of persistent counters. For one thread at a time; methods block.
 *
 * <p>Changes survive the process after {@link #append}, and a power failure after {@link #force}.
 */
final class CounterLog implements AutoCloseable {
  /*
   * Records are only appended; CounterRecords has their form. When most of the file is out of date,
   * it is rewritten under another name, and renamed. So it is when the interrupt of a thread closed
   * it.
   */

  /** The size up to which a file is never rewritten, however little of it is current. */
  private static final long SMALL_BYTES = 1 << 18;

  /** The file is rewritten at this multiple of its current bytes. */
  private static final int OUTDATED_FACTOR = 4;

  /** The most damaged files: more than an operator leaves in place. */
  private static final int DAMAGED_FILES_MAX = 1000;

  private static final System.Logger log = System.getLogger(CounterLog.class.getName());

  private final ReplacedFile file;
  private final FileAccess access;

  /** The content of the file, including changes that the disk refused so far. */
  private final Map<String, CounterState> counters;

  /** The bytes of a file with only this content. */
  private long liveBytes;

  /** The last rewritten file, open for appending. */
  private ReplacedFile.Draft written;

  /** The end of the last complete record. */
  private long end;

  private volatile boolean isForced = true;

  /** Whether the file's name survives a power failure. */
  private boolean isFolderForced = true;

  private CounterLog(Path file, FileAccess access, Map<String, CounterState> counters)
      throws IOException {
    this.file = new ReplacedFile(file, access);
    this.access = access;
    this.counters = counters;
    this.liveBytes = CounterRecords.MAGIC.length + size(counters);
    ReplacedFile.Draft first = this.file.draft(everything());
    try {
      first.keep();
    } catch (IOException failure) {
      closeAfter(failure, first);
      throw failure;
    }
    this.written = first;
    this.end = liveBytes;
  }

  private static void closeAfter(IOException failure, ReplacedFile.Draft draft) {
    try {
      draft.close();
    } catch (IOException alsoFailed) {
      failure.addSuppressed(alsoFailed);
    }
  }

  /**
   * Opens a file, or creates it.
   *
   * @throws InvalidRequestException if it can't be read or written; the message names it
   */
  static CounterLog open(Path file, FileAccess access) {
    try {
      return new CounterLog(file, access, readAll(file, access));
    } catch (IOException failure) {
      throw new InvalidRequestException(
          "kept counters can't be read: file=%s, reason=%s; make room on its disk, or mend the file"
              .formatted(file, failure),
          failure);
    }
  }

  /** The counters by their names; unchanged until the next {@link #append}. */
  Map<String, CounterState> counters() {
    return Collections.unmodifiableMap(counters);
  }

  /** Whether {@link #force} has nothing to do. For any thread. */
  boolean isForced() {
    return isForced;
  }

  private static Map<String, CounterState> readAll(Path file, FileAccess access)
      throws IOException {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (NoSuchFileException _) {
      return new TreeMap<>();
    }
    CounterRecords records = CounterRecords.read(bytes);
    if (records.damagedBytes() > 0) {
      Path aside = keepAside(file, access);
      log.log(
          Level.WARNING,
          ("file of counters is damaged: file=%s, bytes=%d; counters have the last states that can"
                  + " be read, compare them with the expected ones; the damaged file is kept as %s")
              .formatted(file, records.damagedBytes(), aside));
    } else if (records.tornBytes() > 0) {
      log.log(
          Level.INFO,
          ("last record of a file of counters was not completely written, and is left out:"
                  + " file=%s, bytes=%d")
              .formatted(file, records.tornBytes()));
    }
    return records.counters();
  }

  /** Keeps a file under a second name. */
  private static Path keepAside(Path file, FileAccess access) throws IOException {
    for (int i = 1; i <= DAMAGED_FILES_MAX; i++) {
      Path aside = file.resolveSibling(file.getFileName() + ".damaged-" + i);
      if (Files.exists(aside)) {
        if (Files.mismatch(aside, file) < 0) { // left by a start that failed later
          return aside;
        }
      } else {
        try {
          Files.createLink(aside, file);
        } catch (UnsupportedOperationException | FileSystemException _) { // no such links there
          Files.copy(file, aside);
        }
        access.forceFolder(Objects.requireNonNull(file.toAbsolutePath().getParent()));
        return aside;
      }
    }
    throw new IOException("damaged, with too many damaged files beside it; delete some");
  }

  /** The bytes of a file with all current records and nothing else. */
  private ByteBuffer everything() {
    ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(liveBytes));
    out.put(CounterRecords.MAGIC);
    counters.forEach((name, state) -> CounterRecords.put(out, name, state));
    return out.flip();
  }

  /** Rewrites the file, and continues with the new one. */
  private void rewrite() throws IOException {
    ReplacedFile.Draft next = file.draft(everything());
    try {
      next.keep();
    } catch (IOException failure) {
      if (next.isMoved()) {
        goOnWith(next, false);
      } else {
        closeAfter(failure, next);
      }
      throw failure;
    }
    goOnWith(next, true);
  }

  private void goOnWith(ReplacedFile.Draft next, boolean isForced) throws IOException {
    ReplacedFile.Draft former = written;
    written = next;
    end = liveBytes;
    isFolderForced = isForced;
    this.isForced = isForced;
    former.close();
  }

  private static long size(Map<String, ? extends @Nullable CounterState> counters) {
    long size = 0;
    for (Map.Entry<String, ? extends @Nullable CounterState> counter : counters.entrySet()) {
      size += CounterRecords.bytes(counter.getKey(), counter.getValue());
    }
    return size;
  }

  /**
   * Appends changes.
   *
   * @param changes by the counters' names; null for a removed counter
   * @throws FatalGridException if the disk refuses it; the former content stays
   */
  void append(Map<String, @Nullable CounterState> changes) {
    if (changes.isEmpty()) {
      return;
    }
    changes.forEach(this::set);
    try {
      int bytes = Math.toIntExact(size(changes));
      if (isCutOff() || end + bytes > Math.max(SMALL_BYTES, OUTDATED_FACTOR * liveBytes)) {
        rewrite();
        return;
      }
      ByteBuffer out = ByteBuffer.allocate(bytes);
      changes.forEach((name, state) -> CounterRecords.put(out, name, state));
      isForced = false;
      end = appended(out.flip());
    } catch (IOException failure) {
      throw notKept(failure);
    }
  }

  /** Whether the interrupt of a thread closed the file while it was written. */
  private boolean isCutOff() {
    return !written.channel().isOpen();
  }

  /** Writes at the end; returns the new end. */
  private long appended(ByteBuffer out) throws IOException {
    long at = end;
    try {
      while (out.hasRemaining()) {
        at += access.write(written.channel(), out, at);
      }
      return at;
    } catch (IOException failure) {
      if (!isCutOff()) { // else it is rewritten
        written.channel().truncate(end); // whole records of a change that failed must not stay
      }
      throw failure;
    }
  }

  private void set(String name, @Nullable CounterState state) {
    CounterState before = state == null ? counters.remove(name) : counters.put(name, state);
    liveBytes -= before == null ? 0 : CounterRecords.bytes(name, before);
    liveBytes += state == null ? 0 : CounterRecords.bytes(name, state);
  }

  /**
   * Makes the appended changes survive a power failure.
   *
   * @throws FatalGridException if the disk refuses it
   */
  void force() {
    if (isForced) {
      return;
    }
    try {
      if (isCutOff()) {
        rewrite();
      }
      if (!isFolderForced) {
        access.forceFolder(Objects.requireNonNull(file.path().toAbsolutePath().getParent()));
        isFolderForced = true;
      }
      access.force(written.channel());
      isForced = true;
    } catch (IOException failure) {
      throw notKept(failure);
    }
  }

  private FatalGridException notKept(IOException failure) {
    return new FatalGridException(
        "counter changed, but can't be kept: file=%s, reason=%s; look at the disk"
            .formatted(file.path(), failure),
        failure);
  }

  /** Ends the use of the file. */
  @Override
  public void close() {
    try {
      written.close();
    } catch (IOException failure) {
      throw notKept(failure);
    }
  }
}
