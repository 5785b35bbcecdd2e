package dev.isogrid.journal;

import dev.isogrid.base.EpochClock;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Gives the space back that records take which do not count any more. For one thread. */
final class Cleaner {
  /*
   * The log is a queue. Its oldest file is cleaned first: what is live in it is appended again at
   * the end, a DROP is appended, both are forced, and then the file is deleted. Removals need no
   * care, since what they removed is in older files only, or in the same one.
   *
   * A file is cleaned when the log has more than SPACE_FACTOR times the live bytes. One round
   * through such a log carries the live bytes at most, and lasts as long as the other half of it is
   * written by users. So at most one byte is carried per byte that is written: the amplification is
   * 2 at most, and less where old records are dead, 1.25 if all entries are overwritten at random.
   * With a retention a file stays for some time after its last record, so that readers of changes
   * find it; the log is longer then.
   *
   * The credit enforces the bound even if the count of live bytes should be wrong.
   */
  private static final System.Logger log = System.getLogger(Cleaner.class.getName());

  /** Of a log of so many times the live bytes, half is dead. */
  static final int SPACE_FACTOR = 2;

  /** Bytes that are read before writers' records get their turn: about a millisecond's work. */
  private static final int STEP_BYTES = 1 << 18;

  private final Disk disk;
  private final LogWriter writer;
  private final LiveEntries entries;
  private final JournalSettings settings;
  private final EpochClock clock;
  private final JournalRecord record = new JournalRecord();

  private @Nullable DiskFile file;
  private @Nullable LogReader reader;
  private boolean isBroken;

  /** The position that must be forced before the oldest file goes; -1 if it is not carried yet. */
  private long dropPosition = -1;

  private long carriedBytes;

  /** The number of the file that {@link #retainedMillis} is about. */
  private long retainedFile;

  /** Until when that file stays. */
  private long retainedMillis;

  Cleaner(
      Disk disk,
      LogWriter writer,
      LiveEntries entries,
      JournalSettings settings,
      EpochClock clock) {
    this.clock = clock;
    this.disk = disk;
    this.writer = writer;
    this.entries = entries;
    this.settings = settings;
  }

  /** Whether the next step needs all to be forced that was appended. */
  boolean needsForce() {
    return dropPosition >= 0;
  }

  /** Returns the bytes that were appended again. */
  long carriedBytes() {
    return carriedBytes;
  }

  /** Whether there is work that was begun. */
  boolean isAtWork() {
    return reader != null || dropPosition >= 0;
  }

  /**
   * Does a part of the work, if there is any.
   *
   * @param liveBytes of all entries
   * @param appendedBytes of all records since the start, those carried included
   * @param forcedPosition what is before it was forced
   * @param dropping appends a DROP, and returns its position
   * @return whether there is more to do
   */
  boolean step(long liveBytes, long appendedBytes, long forcedPosition, LongSupplier dropping)
      throws IOException {
    if (dropPosition >= 0) {
      if (forcedPosition >= dropPosition) {
        entries.deleting(writer.complete().getFirst().number());
        writer.deleteOldest();
        dropPosition = -1;
      }
      return true;
    }
    if (reader == null && (!isDue(liveBytes, appendedBytes) || isRetained())) {
      return false;
    }
    if (carry(reader == null ? open() : reader)) {
      entries.beforeDrop();
      dropPosition = dropping.getAsLong();
    }
    return !isBroken;
  }

  private boolean isDue(long liveBytes, long appendedBytes) {
    return !isBroken
        && !writer.complete().isEmpty()
        && writer.bytes() > SPACE_FACTOR * liveBytes + settings.fileBytes()
        && appendedBytes - 2 * carriedBytes >= writer.complete().getFirst().bytes();
  }

  /** Whether readers of changes may want the oldest file. */
  private boolean isRetained() throws IOException {
    if (settings.retentionMillis() == 0) {
      return false;
    }
    LogFile oldest = writer.complete().getFirst();
    if (retainedFile != oldest.number()) {
      retainedMillis = disk.changedMillis(oldest.name()) + settings.retentionMillis();
      retainedFile = oldest.number();
    }
    return clock.millis() < retainedMillis;
  }

  private LogReader open() throws IOException {
    LogFile oldest = writer.complete().getFirst();
    DiskFile opened = disk.open(oldest.name());
    file = opened;
    FileHeader header = FileHeader.read(disk, opened, oldest.number());
    LogReader made = new LogReader(opened, header, oldest.bytes());
    reader = made;
    return made;
  }

  /** Carries what is live in the next part of the file; returns whether that was the last one. */
  private boolean carry(LogReader from) throws IOException {
    for (long read = 0; read < STEP_BYTES; read += record.length()) {
      if (!from.next(record)) {
        String trouble = from.trouble();
        if (trouble != null) {
          fail(from.offset(), trouble);
        }
        close();
        return trouble == null;
      }
      if (record.kind() == JournalLayout.PUT) {
        carriedBytes += entries.carry(record);
      }
    }
    return false;
  }

  private void fail(long offset, String trouble) {
    isBroken = true;
    log.log(
        Level.ERROR,
        ("journal is damaged, and is not cleaned any more: file=%s, offset=%d, found=%s; the"
                + " other entries can be read: export them while the process runs")
            .formatted(disk.path(writer.complete().getFirst().name()), offset, trouble));
  }

  /** Ends the work; what was begun is begun again after the next start. */
  void close() throws IOException {
    reader = null;
    DiskFile open = file;
    file = null;
    if (open != null) {
      open.close();
    }
  }
}
