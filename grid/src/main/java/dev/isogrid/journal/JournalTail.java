package dev.isogrid.journal;

import dev.isogrid.api.ChangesGoneException;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.InvalidRequestException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads the changes of a journal in their order while it is written. Holds one file and one buffer,
 * however far behind it is. For one thread; methods block.
 */
public final class JournalTail implements AutoCloseable {
  /*
   * Only what was forced is read: it is there after a crash, at the same place of the same file.
   * So a place names the changes before it for ever, and a token is little more than a place.
   *
   * Files are read from the oldest to the one that is written, and each of them to its end: a file
   * is complete when the forced place is in a later one. What the cleaner appends again is no
   * change, nor are marks. The cleaner does not know readers: it deletes a file when its retention
   * is over, and a reader that has not begun it learns that its changes are gone.
   *
   * Records of early writers don't say whether they were appended again. Such a record has a
   * version that is not greater than those before it in its segment, as far as this reader knows.
   *
   *   token:  1 byte version, 8 first half of the journal's identity, 8 file, 8 offset,
   *           4 CRC32C of all that; numbers big endian, Base64 for URLs
   */
  private static final byte TOKEN_VERSION = 1;

  private static final int TOKEN_BYTES = 29;
  private static final int TOKEN_CRC = 25;

  private final Journal journal;
  private final Disk disk;
  private final JournalScope scope;
  private final JournalRecord record = new JournalRecord();

  /** The greatest version of each segment that was read. */
  private final long[] versions;

  private long number;

  /** The end of the last record in the file; 0 if there was none. */
  private long offset;

  /** Whether records that are no changes are returned, too. */
  private final boolean isWhole;

  private @Nullable DiskFile file;
  private @Nullable LogReader reader;

  private JournalTail(
      Journal journal, Disk disk, JournalScope scope, JournalPlace place, boolean isWhole) {
    this.journal = journal;
    this.disk = disk;
    this.scope = scope;
    this.versions = new long[scope.segments()];
    this.number = place.file();
    this.offset = place.offset();
    this.isWhole = isWhole;
  }

  static JournalTail at(Journal journal, Disk disk, JournalScope scope, JournalPlace place) {
    return new JournalTail(journal, disk, scope, place, false);
  }

  /** See {@link Journal#wholeTail}. */
  static JournalTail whole(Journal journal, Disk disk, JournalScope scope, JournalPlace place) {
    return new JournalTail(journal, disk, scope, place, true);
  }

  /** See {@link Journal#tail}. */
  static JournalTail open(Journal journal, Disk disk, JournalScope scope, @Nullable String token) {
    if (token == null) {
      return at(journal, disk, scope, new JournalPlace(oldest(disk, scope), 0));
    }
    JournalTail tail = at(journal, disk, scope, parsed(journal, scope, token));
    try {
      tail.reader();
      return tail;
    } catch (IOException failure) {
      throw tail.unreadable(failure);
    }
  }

  static long oldest(Disk disk, JournalScope scope) {
    try {
      return disk.names().stream()
          .mapToLong(JournalLayout::fileNumber)
          .filter(number -> number > 0)
          .min()
          .orElseThrow(() -> new IOException("no files"));
    } catch (IOException failure) {
      throw new FatalGridException(
          "changes can't be read: cache=%s, folder=%s, reason=%s; look at the disk"
              .formatted(scope.cache(), disk.path(""), failure),
          failure);
    }
  }

  private static JournalPlace parsed(Journal journal, JournalScope scope, String token) {
    byte[] bytes = decoded(token);
    ByteBuffer view = ByteBuffer.wrap(bytes);
    boolean isToken =
        bytes.length == TOKEN_BYTES
            && view.getInt(TOKEN_CRC) == crc(bytes)
            && view.get(0) == TOKEN_VERSION;
    if (!isToken) {
      throw new InvalidRequestException(
          "no token of changes: cache=%s, token=%s; use one that came with a change of this cache"
              .formatted(scope.cache(), token));
    }
    if (view.getLong(1) != journal.identity().getMostSignificantBits()) {
      throw new ChangesGoneException(
          ("token is of another store: cache=%s, token=%s; the cache was made anew or its store"
                  + " moved, so read all entries and follow its changes from now on")
              .formatted(scope.cache(), token));
    }
    JournalPlace place = new JournalPlace(view.getLong(9), view.getLong(17));
    if (place.isBeyond(journal.forcedPlace())) {
      throw new ChangesGoneException(
          ("token is ahead of the store: cache=%s, token=%s; the store is older than the token, so"
                  + " read all entries and follow its changes from now on")
              .formatted(scope.cache(), token));
    }
    return place;
  }

  private static byte[] decoded(String token) {
    try {
      return Base64.getUrlDecoder().decode(token);
    } catch (IllegalArgumentException _) {
      return new byte[0];
    }
  }

  private static int crc(byte[] token) {
    CRC32C crc = new CRC32C();
    crc.update(token, 0, TOKEN_CRC);
    return (int) crc.getValue();
  }

  /** Returns what {@link Journal#tail} goes on with behind the last change. Does not block. */
  public String token() {
    ByteBuffer token = ByteBuffer.allocate(TOKEN_BYTES);
    token.put(TOKEN_VERSION).putLong(journal.identity().getMostSignificantBits());
    token.putLong(number).putLong(offset).putInt(crc(token.array()));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token.array());
  }

  /**
   * Returns the next change, which is valid until the next call.
   *
   * @param millis how long to wait for one; 0 for not at all
   * @return null if there is none in time, or the thread is interrupted
   * @throws ChangesGoneException if files were deleted that were not read
   */
  public @Nullable JournalRecord next(long millis) {
    long leftNanos = TimeUnit.MILLISECONDS.toNanos(millis);
    try {
      while (true) {
        JournalRecord found = next();
        if (found != null || leftNanos <= 0) {
          return found;
        }
        leftNanos = journal.awaitBeyond(new JournalPlace(number, offset), leftNanos);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return null;
    } catch (IOException failure) {
      throw unreadable(failure);
    }
  }

  private @Nullable JournalRecord next() throws IOException {
    while (true) {
      LogReader from = reader();
      boolean isComplete = false;
      if (from.offset() >= from.limit()) {
        isComplete = extend(from);
      }
      if (from.next(record)) {
        offset = from.offset();
        if (isNewChange()) {
          return record;
        }
      } else if (from.trouble() != null) {
        throw new DamagedJournalException(
            disk.path(JournalLayout.fileName(number)),
            from.offset(),
            String.valueOf(from.trouble()));
      } else if (isComplete) {
        close();
        number++;
        offset = 0;
      } else {
        return null;
      }
    }
  }

  /** Reads further, as far as that is forced; returns whether nothing will follow. */
  private boolean extend(LogReader from) throws IOException {
    JournalPlace forced = journal.forcedPlace();
    boolean isComplete = forced.file() > number;
    DiskFile open = file;
    from.limit(isComplete && open != null ? open.size() : forced.offset());
    return isComplete;
  }

  /** Returns the place behind the last record that was read. Does not block. */
  public JournalPlace place() {
    return new JournalPlace(number, offset);
  }

  private boolean isNewChange() {
    if (isWhole) {
      return record.segment() >= 0;
    }
    if (!record.isChange()) {
      return false;
    }
    if (!record.isPut()) {
      return true;
    }
    int segment = record.segment();
    boolean isNew = record.version() > versions[segment];
    versions[segment] = Math.max(versions[segment], record.version());
    return isNew;
  }

  private LogReader reader() throws IOException {
    LogReader open = reader;
    if (open != null) {
      return open;
    }
    String name = JournalLayout.fileName(number);
    if (!disk.exists(name)) {
      throw new ChangesGoneException(
          ("changes are gone: cache=%s, file=%s; the store does not keep them so long: read all"
                  + " entries, follow the changes from now on, and set a longer retention")
              .formatted(scope.cache(), disk.path(name)));
    }
    DiskFile opened = disk.open(name);
    file = opened;
    FileHeader header = FileHeader.read(disk, opened, number);
    LogReader made = new LogReader(opened, header, 0);
    if (offset > 0) {
      made.skipTo(offset);
    } else {
      offset = header.length();
    }
    reader = made;
    return made;
  }

  private FatalGridException unreadable(IOException failure) {
    return new FatalGridException(
        "changes can't be read: cache=%s, file=%s, offset=%d, reason=%s; look at the disk"
            .formatted(scope.cache(), disk.path(JournalLayout.fileName(number)), offset, failure),
        failure);
  }

  /** Closes the file. Closing twice is harmless. */
  @Override
  public void close() {
    reader = null;
    DiskFile open = file;
    file = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException failure) {
        throw unreadable(failure);
      }
    }
  }
}
