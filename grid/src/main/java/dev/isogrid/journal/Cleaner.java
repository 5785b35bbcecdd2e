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
   * A file is cleaned when the log has more than 1.75 times the live bytes, and the bytes of one
   * file. One round through such a log carries the live bytes at most, and lasts as long as the
   * other 0.75 of it are written by users. So at most 1.34 bytes are carried per byte that is
   * written: the amplification is 2.34 at most, and less where old records are dead, 1.3 if all
   * entries are overwritten at random. With the file that is cleaned and the one that is written,
   * files of an eighth of the live bytes take 2.1 times these. With a retention a file stays for
   * some time after its last record, so that readers of changes find it; the log is longer then.
   *
   * The credit enforces a bound of 2.5 even if the count of live bytes should be wrong.
   */
  private static final System.Logger log = System.getLogger(Cleaner.class.getName());

  /** The log may have so many quarters of the live bytes. */
  private static final int SPACE_QUARTERS = 7;

  /** Bytes that are read before writers' records get their turn: about a millisecond's work. */
  private static final int STEP_BYTES = 1 << 18;

  /**
   * Records whose entries are looked up together: as many reads of memory as a processor has under
   * way at a time.
   */
  private static final int GROUP = 16;

  /** Attempts after a failure are this many ticks apart in the end: some minutes. */
  private static final int PAUSE_TICKS_MAX = 256;

  private final Disk disk;
  private final LogWriter writer;
  private final LiveEntries entries;
  private final JournalSettings settings;
  private final EpochClock clock;
  private final ReplacedVersions replaced;

  /** What is looked at together. */
  private final JournalRecord[] group = new JournalRecord[GROUP];

  /** Takes what the reads return that only bring memory near. */
  private int unused;

  private @Nullable DiskFile file;
  private @Nullable LogReader reader;

  /** Why nothing is cleaned, or null. Written by the thread, read by any. */
  private volatile @Nullable String trouble;

  /** Ticks until the next attempt after a failure. */
  private int pauseTicks = 1;

  private int ticksLeft;

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
      EpochClock clock,
      ReplacedVersions replaced) {
    this.clock = clock;
    this.replaced = replaced;
    this.disk = disk;
    this.writer = writer;
    this.entries = entries;
    this.settings = settings;
    for (int i = 0; i < GROUP; i++) {
      group[i] = new JournalRecord();
    }
  }

  /** Whether the next step needs all to be forced that was appended. */
  boolean needsForce() {
    return dropPosition >= 0 && ticksLeft == 0;
  }

  /** Returns the bytes that were appended again. */
  long carriedBytes() {
    return carriedBytes;
  }

  /** Whether there is work that was begun, or failed. */
  boolean isAtWork() {
    return reader != null || dropPosition >= 0 || trouble != null;
  }

  /** Returns why no space is given back, or null. Any thread. */
  @Nullable String trouble() {
    return trouble;
  }

  /** Lets time pass, so that what failed is tried again. */
  void tick() {
    ticksLeft = Math.max(0, ticksLeft - 1);
  }

  /**
   * Does a part of the work, if there is any. If the disk refuses it, that is logged and tried
   * again later: what is written meanwhile is not concerned.
   *
   * @param liveBytes of all entries
   * @param appendedBytes of all records since the start, those carried included
   * @param forcedPosition what is before it was forced
   * @param dropping appends a DROP, and returns its position
   * @return whether there is more to do
   */
  boolean step(long liveBytes, long appendedBytes, long forcedPosition, LongSupplier dropping) {
    if (ticksLeft > 0) {
      return false;
    }
    try {
      return tryStep(liveBytes, appendedBytes, forcedPosition, dropping);
    } catch (IOException failure) {
      fail(failure);
      return false;
    }
  }

  private boolean tryStep(
      long liveBytes, long appendedBytes, long forcedPosition, LongSupplier dropping)
      throws IOException {
    if (dropPosition >= 0) {
      if (forcedPosition >= dropPosition) {
        entries.deleting(writer.complete().getFirst().number());
        writer.deleteOldest();
        dropPosition = -1;
        succeed();
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
    return true;
  }

  private boolean isDue(long liveBytes, long appendedBytes) {
    return !writer.complete().isEmpty()
        && writer.bytes() > SPACE_QUARTERS * liveBytes / 4 + settings.fileBytes(liveBytes)
        && creditBytes(appendedBytes) >= writer.complete().getFirst().bytes();
  }

  /** How much may be carried: three halves of what users wrote, less what was carried. */
  private long creditBytes(long appendedBytes) {
    return 3 * (appendedBytes - carriedBytes) / 2 - carriedBytes;
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
    long until = from.offset() + STEP_BYTES;
    boolean isMore = true;
    while (isMore && from.offset() < until) {
      int puts = 0;
      do {
        JournalRecord record = group[puts];
        isMore = from.next(record);
        if (isMore && mayCount(record)) {
          puts++;
        }
      } while (isMore && puts < GROUP && from.hasNextInMemory());
      carry(puts);
    }
    if (isMore) {
      return false;
    }
    String damage = from.trouble();
    if (damage != null) {
      throw new DamagedJournalException(path(), from.offset(), damage);
    }
    close();
    return true;
  }

  private boolean mayCount(JournalRecord record) {
    return record.kind() == JournalLayout.PUT && !replaced.has(record.segment(), record.version());
  }

  /** Carries what is live of a group. */
  private void carry(int puts) {
    unused ^= entries.bringNear(group, puts);
    for (int i = 0; i < puts; i++) {
      carriedBytes += entries.carry(group[i]);
    }
  }

  /** Returns the path of the oldest complete file. */
  private String path() {
    return disk.path(writer.complete().getFirst().name());
  }

  /** Begins again with the file after some ticks. */
  private void fail(IOException failure) {
    boolean isNew = trouble == null;
    trouble = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    ticksLeft = pauseTicks;
    pauseTicks = Math.min(PAUSE_TICKS_MAX, 2 * pauseTicks);
    try {
      close();
    } catch (IOException alsoFailed) {
      failure.addSuppressed(alsoFailed);
    }
    if (isNew) {
      log.log(
          Level.ERROR,
          ("old records of a store can't be cleaned, so that its files grow: file=%s; writes go on,"
                  + " and it is tried again: look at the disk, export the entries if it stays so")
              .formatted(path()),
          failure);
    }
  }

  private void succeed() {
    pauseTicks = 1;
    if (trouble != null) {
      trouble = null;
      log.log(Level.INFO, "old records of a store are cleaned again: folder=" + disk.path(""));
    }
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
