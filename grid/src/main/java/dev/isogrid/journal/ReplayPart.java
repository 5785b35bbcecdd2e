package dev.isogrid.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Replays the records of some segments. For one thread. */
final class ReplayPart {
  /*
   * Complete files can be replayed by several threads: each one walks through all records, and
   * checks and replays those of its own segments, in their order. Reading a file again comes from
   * the system's memory, and a step over a record costs little beside its replay. So no records are
   * handed from one thread to another.
   *
   * The first part has the records of the journal itself as well, so each record is checked by one
   * part. A part that does not check a record with a damaged length loses its way behind it: so the
   * damage that is the nearest to the beginning counts.
   */
  private final Replay replay;
  private final int part;
  private final int parts;
  private final JournalRecord record = new JournalRecord();

  /** The sequences of the segments' last records; those of other parts' segments are not used. */
  private final long[] sequences;

  /** Writes of several entries whose end was not read yet. */
  private final RecordGroups groups = new RecordGroups();

  private final List<LogFile> files = new ArrayList<>();
  private long droppedFile;
  private long lastVersion;

  /** The number of the file that is read. */
  private long number;

  private @Nullable Throwable failure;

  /**
   * Replays nothing yet.
   *
   * @param part 0 or more
   * @param parts more than that; the segments of a part have it as their remainder
   */
  ReplayPart(Replay replay, long[] sequences, int part, int parts) {
    this.replay = replay;
    this.sequences = sequences;
    this.part = part;
    this.parts = parts;
  }

  /** Returns the last file whose entries were all written again, as far as is known; or 0. */
  long droppedFile() {
    return droppedFile;
  }

  /** Returns the greatest version so far. */
  long lastVersion() {
    return lastVersion;
  }

  /** Returns the files that were read. */
  List<LogFile> files() {
    return files;
  }

  /** Replays complete files; keeps what it fails with. */
  void tryRun(Disk disk, List<FileHeader> headers) {
    try {
      for (FileHeader header : headers) {
        number = header.number();
        try (DiskFile file = disk.open(JournalLayout.fileName(number))) {
          replayComplete(disk, file, header);
        }
      }
    } catch (IOException | RuntimeException | Error thrown) { // thrown by the thread that waits
      failure = thrown;
    }
  }

  /** Throws what is the matter with the first file that one of some parts failed at. */
  static void check(List<ReplayPart> all) throws IOException {
    ReplayPart first = null;
    for (ReplayPart each : all) {
      if (each.failure != null && (first == null || each.isBefore(first))) {
        first = each;
      }
    }
    switch (first == null ? null : first.failure) {
      case null -> {}
      case IOException damage -> throw damage;
      case RuntimeException bug -> throw bug;
      case Error error -> throw error;
      case Throwable other -> throw new IllegalStateException(other);
    }
  }

  private boolean isBefore(ReplayPart other) {
    return number != other.number ? number < other.number : offset() < other.offset();
  }

  private long offset() {
    return failure instanceof DamagedJournalException damage ? damage.offset() : 0;
  }

  private void replayComplete(Disk disk, DiskFile file, FileHeader header) throws IOException {
    long size = file.size();
    LogReader reader = new LogReader(file, header, size);
    reader.checkOnly(part, parts);
    boolean isSealed = false;
    long end = reader.offset();
    String trouble = null;
    while (trouble == null && !isSealed && reader.next(record)) {
      if (LogReader.isOf(record.segment(), part, parts)) {
        trouble = replay(record);
        isSealed = record.kind() == JournalLayout.SEAL;
      }
      end = trouble == null ? reader.offset() : end;
    }
    if (trouble == null) {
      trouble = reader.trouble();
    }
    if (trouble == null && part == 0 && !isSealed) {
      trouble = "no seal at the end";
    } else if (isSealed && end < size) {
      trouble = "bytes behind the seal";
    }
    if (trouble != null) {
      throw new DamagedJournalException(disk.path(JournalLayout.fileName(number)), end, trouble);
    }
    files.add(new LogFile(number, end));
  }

  /** Hands on a record; returns why it can't be one, or null. */
  @Nullable String replay(JournalRecord next) {
    byte kind = next.kind();
    if (kind == JournalLayout.DROP) {
      droppedFile = Math.max(droppedFile, next.droppedFile());
    }
    if (kind != JournalLayout.PUT && kind != JournalLayout.REMOVE && kind != JournalLayout.CLEAR) {
      return null;
    }
    int segment = next.segment();
    long before = sequences[segment];
    if (before > 0 && next.sequence() != before + 1) {
      return "sequence %d of segment %d after %d".formatted(next.sequence(), segment, before);
    }
    sequences[segment] = next.sequence();
    if (kind != JournalLayout.CLEAR) {
      lastVersion = Math.max(lastVersion, next.version());
    }
    groups.handOn(next, replay);
    return null;
  }

  /** Begins with what a part of the files before has read. */
  void follow(ReplayPart before) {
    groups.addAll(before.groups);
  }
}
