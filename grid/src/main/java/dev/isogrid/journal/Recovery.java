package dev.isogrid.journal;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The start of a journal: its files are checked, then read, then it is open for writing. For one
 * thread; each step once, in this order. Methods block.
 */
public final class Recovery {
  /*
   * All files but the last end with a SEAL: anything else in them that is not as it was written is
   * damage, and the start is refused. In the last file, bytes that are no record may be a write
   * that power was lost in. They are not if a later record of the same file says that they were
   * forced; that is damage, too. Otherwise the file is cut off there. A disk that lost power may
   * have records behind such bytes, as it writes in any order. A process that was killed leaves
   * none. If there are some, what is cut off is kept in a file of its own, cut-N.log. Zeros up to
   * the end are the space for records that did not come.
   *
   * A system that could not write bytes to the disk may still show them, and say that a later force
   * succeeded. So what no record says was forced is written again, as it was read, before the file
   * is completed.
   *
   * A last file without a whole header was being created, unless it has records. It is deleted.
   */
  /** Bytes that are written again at once. */
  private static final int CHUNK_BYTES = 1 << 18;

  private static final System.Logger log = System.getLogger(Recovery.class.getName());

  private final Disk disk;
  private final JournalScope scope;
  private final boolean isReadOnly;
  private final UUID identity;

  /** Those that count, in their order. */
  private final List<FileHeader> headers;

  /** Files that do not count any more. */
  private final List<Long> obsolete;

  private final long lastNumber;
  private final long unfinished;
  private final JournalRecord record = new JournalRecord();
  private final Deque<LogFile> files = new ArrayDeque<>();

  /** The sequences of the segments' last records, as far as they are known. */
  private final long[] sequences;

  /** The last file without its seal, which is completed at the start. */
  private @Nullable LogFile unsealed;

  /** What is before it in the last file was forced, as its records say. */
  private long forcedBefore;

  private long droppedFile;

  /** Whether what is cut off the last file has readable records, and is kept. */
  private boolean isCutKept;

  private long lastVersion;

  private Recovery(
      Disk disk, JournalScope scope, boolean isReadOnly, Headers found, UUID freshIdentity) {
    this.disk = disk;
    this.scope = scope;
    this.isReadOnly = isReadOnly;
    this.headers = found.headers;
    this.obsolete = found.obsolete;
    this.lastNumber = found.lastNumber;
    this.unfinished = found.unfinished;
    this.identity = headers.isEmpty() ? freshIdentity : headers.getFirst().identity();
    this.sequences = new long[scope.segments()];
  }

  /**
   * Looks at the files.
   *
   * @param freshIdentity the identity if there is no file yet
   * @param isReadOnly whether nothing may be changed
   * @throws DamagedJournalException if the files do not belong together, or one can't be read
   * @throws IOException if the disk refuses it, or the files are those of another cache
   */
  public static Recovery open(Disk disk, JournalScope scope, UUID freshIdentity, boolean isReadOnly)
      throws IOException {
    int headerBytes = new FileHeader(0, 0, 0, 0, freshIdentity, scope).length();
    Headers found = new Headers(disk, headerBytes);
    found.read();
    for (FileHeader header : found.headers) {
      checkScope(disk, header, scope);
    }
    return new Recovery(disk, scope, isReadOnly, found, freshIdentity);
  }

  private static void checkScope(Disk disk, FileHeader header, JournalScope scope)
      throws IOException {
    JournalScope written = header.scope();
    if (!written.cache().equals(scope.cache()) || !written.content().equals(scope.content())) {
      throw new IOException(
          ("store belongs to another cache: file=%s, cache=%s, content=%s, expected cache=%s,"
                  + " expected content=%s; use another path, or the configuration that wrote it")
              .formatted(
                  disk.path(JournalLayout.fileName(header.number())),
                  written.cache(),
                  written.content(),
                  scope.cache(),
                  scope.content()));
    }
    if (written.segments() != scope.segments()) {
      throw new IOException(
          ("store has another number of segments: file=%s, segments=%d, configured=%d; configure"
                  + " the number that it has")
              .formatted(
                  disk.path(JournalLayout.fileName(header.number())),
                  written.segments(),
                  scope.segments()));
    }
  }

  /** Returns the scope that the last file was written for; null if there is no file. */
  public static @Nullable JournalScope scopeOf(Disk disk) throws IOException {
    Headers found = new Headers(disk, JournalLayout.FILE_FIXED);
    found.read();
    return found.headers.isEmpty() ? null : found.headers.getLast().scope();
  }

  /**
   * Returns the greatest version that was given and not lost, 0 if there was none. To be called
   * after {@link #replay}.
   */
  public long lastVersion() {
    return lastVersion;
  }

  /** Returns the epoch of the versions in the last file, 0 if there is none. */
  public int lastEpoch() {
    return headers.stream().mapToInt(FileHeader::epoch).max().orElse(0);
  }

  /** Leaves out all that is there: the first file that is begun will say that it is the oldest. */
  public void purge() {
    headers.forEach(header -> obsolete.add(header.number()));
    headers.clear();
  }

  /**
   * Reads all records.
   *
   * @throws DamagedJournalException if one was not read as it was written; what was replayed before
   *     must not be used
   */
  public void replay(Replay replay) throws IOException {
    replay(replay, 1, Runnable::run);
  }

  /**
   * As the other one, by several threads if the replay can be.
   *
   * @param threads the most threads
   * @param helpers runs tasks on threads that help this one, now, later or never
   */
  public void replay(Replay replay, int threads, Executor helpers) throws IOException {
    for (FileHeader header : headers) {
      lastVersion = Math.max(lastVersion, header.floor());
    }
    ReplayPart whole = new ReplayPart(replay, sequences, 0, 1);
    int complete = 0;
    if (replay.isParallel() && threads > 1 && headers.size() > 1) {
      complete = headers.size() - 1;
      replayTogether(headers.subList(0, complete), replay, threads, helpers).forEach(whole::follow);
    }
    for (int i = complete; i < headers.size(); i++) {
      FileHeader header = headers.get(i);
      try (DiskFile file = disk.open(JournalLayout.fileName(header.number()))) {
        replay(file, header, i == headers.size() - 1, whole);
      }
    }
    take(whole);
    checkOldest();
  }

  /** Replays complete files by several threads. */
  private List<ReplayPart> replayTogether(
      List<FileHeader> complete, Replay replay, int threads, Executor helpers) throws IOException {
    List<ReplayPart> parts = new ArrayList<>();
    for (int part = 0; part < threads; part++) {
      parts.add(new ReplayPart(replay, sequences, part, threads));
    }
    AtomicInteger next = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(threads);
    Runnable work =
        () -> {
          for (int i = next.getAndIncrement(); i < threads; i = next.getAndIncrement()) {
            parts.get(i).tryRun(disk, complete);
            done.countDown();
          }
        };
    for (int helper = 1; helper < threads; helper++) {
      helpers.execute(work);
    }
    work.run();
    awaitAll(done);
    ReplayPart.check(parts);
    parts.forEach(this::take);
    files.addAll(parts.getFirst().files());
    return parts;
  }

  private static void awaitAll(CountDownLatch done) {
    boolean isInterrupted = false;
    while (done.getCount() > 0) {
      try {
        done.await();
      } catch (InterruptedException _) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void take(ReplayPart part) {
    droppedFile = Math.max(droppedFile, part.droppedFile());
    lastVersion = Math.max(lastVersion, part.lastVersion());
  }

  /** Finds out whether all files are there that were not dropped. */
  private void checkOldest() throws DamagedJournalException {
    if (headers.isEmpty()) {
      return;
    }
    long expected = Math.max(headers.getLast().oldest(), droppedFile + 1);
    if (headers.getFirst().number() > expected) {
      throw missing(disk, expected);
    }
  }

  private static DamagedJournalException missing(Disk disk, long number) {
    return new DamagedJournalException(
        disk.path(JournalLayout.fileName(number)), 0, "no such file, though it counts");
  }

  private void replay(DiskFile file, FileHeader header, boolean isLast, ReplayPart replay)
      throws IOException {
    LogReader reader = new LogReader(file, header, file.size());
    forcedBefore = 0;
    boolean isSealed = false;
    String trouble = null;
    long end = reader.offset();
    while (trouble == null && !isSealed && reader.next(record)) {
      trouble = replay.replay(record);
      if (trouble == null) {
        long high = header.identity().getMostSignificantBits();
        forcedBefore = Math.max(forcedBefore, record.forced(header.number(), high));
        isSealed = record.kind() == JournalLayout.SEAL;
        end = reader.offset();
      }
    }
    if (trouble == null) {
      trouble = reader.trouble();
    }
    if (isSealed && end < file.size()) {
      trouble = "bytes behind the seal";
    }
    if (!isLast && (trouble != null || !isSealed)) {
      throw damaged(header, end, trouble == null ? "no seal at the end" : trouble);
    }
    if (trouble != null && LogReader.contentEnd(file, end) > end) {
      cut(file, header, reader, end, trouble);
    }
    if (isLast && !isReadOnly) { // its seal is written again, too
      long kept = isSealed ? end - JournalLayout.MARK_BYTES : end;
      unsealed = new LogFile(header.number(), kept);
    } else {
      files.add(new LogFile(header.number(), end));
    }
  }

  private DamagedJournalException damaged(FileHeader header, long offset, String trouble) {
    return new DamagedJournalException(
        disk.path(JournalLayout.fileName(header.number())), offset, trouble);
  }

  /** Finds out whether the rest of the last file may be left out. */
  private void cut(DiskFile file, FileHeader header, LogReader reader, long end, String trouble)
      throws IOException {
    long high = header.identity().getMostSignificantBits();
    boolean isReadable = reader.offset() > end;
    if (isReadable) { // a record that does not follow the one before
      if (record.forced(header.number(), high) > end) {
        throw damaged(header, end, trouble);
      }
    }
    Rest rest = Rest.of(reader, header.number(), high);
    if (rest.forced() > end) {
      throw damaged(header, end, trouble);
    }
    String path = disk.path(JournalLayout.fileName(header.number()));
    if (rest.records() == 0 && !isReadable) {
      log.log(
          Level.INFO,
          "end of a journal is incomplete, and is cut off: file=%s, offset=%d, bytes=%d"
              .formatted(path, end, file.size() - end));
      return;
    }
    isCutKept = true;
    log.log(
        Level.WARNING,
        ("end of a journal is cut off at bytes that are no record, after a loss of power or damage:"
                + " file=%s, offset=%d, bytes=%d, readable records behind it=%d, reason=%s; the"
                + " bytes are kept in %s")
            .formatted(
                path, end, file.size() - end, rest.records(), trouble, cutName(header.number())));
  }

  private static String cutName(long number) {
    return "cut-%016x.log".formatted(number);
  }

  /** What is behind bytes of a file that are no record. */
  private record Rest(long forced, long records) {
    /**
     * Reads it.
     *
     * @return the farthest offset that a record there says was forced, or -1; and how many records
     *     there are
     */
    static Rest of(LogReader reader, long number, long identity) throws IOException {
      JournalRecord record = new JournalRecord();
      long farthest = -1;
      long records = 0;
      while (true) {
        if (reader.next(record)) {
          farthest = Math.max(farthest, record.forced(number, identity));
          records += record.segment() == JournalLayout.NO_SEGMENT ? 0 : 1;
        } else if (!reader.skipToCandidate()) {
          return new Rest(farthest, records);
        }
      }
    }
  }

  /**
   * Opens the journal for writing.
   *
   * @param epoch of versions from now on
   * @param live the bytes of the records that count
   * @throws IOException if the disk refuses it; nothing but what does not count was changed then
   */
  public Journal start(
      int epoch, JournalSettings settings, long live, LiveEntries entries, JournalThreads threads)
      throws IOException {
    return start(epoch, settings, live, entries, threads, false);
  }

  /**
   * As the other one.
   *
   * @param isTelling whether the entries are told where their records are
   */
  // tidy: all that a journal needs
  public Journal start(
      int epoch,
      JournalSettings settings,
      long live,
      LiveEntries entries,
      JournalThreads threads,
      boolean isTelling)
      throws IOException {
    if (unfinished > 0) { // gone before the file ahead of it loses its seal for a moment
      disk.delete(JournalLayout.fileName(unfinished));
    }
    disk.forceNames(); // the process that created the last file may have ended before it did so
    LogFile last = unsealed;
    if (last != null) {
      seal(last);
    }
    LogWriter writer =
        new LogWriter(
            disk,
            scope,
            identity,
            epoch,
            settings.fileBytes(),
            files,
            lastNumber,
            lastVersion,
            isTelling);
    writer.begin();
    Collections.sort(obsolete);
    while (!files.isEmpty() && files.getFirst().number() <= droppedFile) {
      writer.deleteOldest();
    }
    for (long number : obsolete) {
      disk.delete(JournalLayout.fileName(number));
      disk.forceNames();
    }
    return new Journal(scope, settings, disk, writer, sequences, live, entries, threads);
  }

  /** Cuts off the end of the last file, and completes it. */
  private void seal(LogFile last) throws IOException {
    byte[] seal =
        JournalLayout.mark(
            JournalLayout.SEAL, last.bytes(), last.number(), identity.getMostSignificantBits());
    try (DiskFile file = disk.open(last.name())) {
      if (isCutKept) {
        keepCut(file, last);
      }
      file.truncate(last.bytes());
      writeAgain(file, last.bytes());
      file.force();
      file.write(ByteBuffer.wrap(seal), last.bytes());
      file.force();
    }
    files.add(new LogFile(last.number(), last.bytes() + seal.length));
    unsealed = null;
  }

  private void keepCut(DiskFile file, LogFile last) throws IOException {
    try (DiskFile cut = disk.create(cutName(last.number()))) {
      ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
      long size = file.size();
      for (long at = last.bytes(); at < size; at += chunk.capacity()) {
        chunk.clear().limit((int) Math.min(chunk.capacity(), size - at));
        file.read(chunk, at);
        cut.write(chunk.flip(), at - last.bytes());
      }
      cut.force();
    }
    disk.forceNames();
  }

  private void writeAgain(DiskFile file, long end) throws IOException {
    ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
    for (long at = forcedBefore; at < end; at += chunk.capacity()) {
      chunk.clear().limit((int) Math.min(chunk.capacity(), end - at));
      file.read(chunk, at);
      file.write(chunk.flip(), at);
    }
  }

  /** The headers of a journal's files. */
  private static final class Headers {
    private final Disk disk;
    private final List<FileHeader> headers = new ArrayList<>();
    private final List<Long> obsolete = new ArrayList<>();
    private final long headerBytes;

    /** A file whose creation was not completed; 0 if there is none. */
    private long unfinished;

    private long lastNumber;

    /**
     * Reads nothing yet.
     *
     * @param headerBytes a file that has no more has no record
     */
    Headers(Disk disk, long headerBytes) {
      this.disk = disk;
      this.headerBytes = headerBytes;
    }

    void read() throws IOException {
      List<Long> numbers = new ArrayList<>();
      for (String name : disk.names()) {
        long number = JournalLayout.fileNumber(name);
        if (number > 0) {
          numbers.add(number);
        }
      }
      Collections.sort(numbers);
      lastNumber = numbers.isEmpty() ? 0 : numbers.getLast();
      for (long number : numbers) {
        FileHeader header = read(number);
        if (header != null) {
          headers.add(header);
        }
      }
      leaveObsolete();
      checkTogether();
    }

    private @Nullable FileHeader read(long number) throws IOException {
      try (DiskFile file = disk.open(JournalLayout.fileName(number))) {
        try {
          return FileHeader.read(disk, file, number);
        } catch (DamagedJournalException damage) {
          if (number < lastNumber || hasRecords(file, number)) {
            throw damage;
          }
          lastNumber = number - 1;
          unfinished = number;
          return null;
        }
      }
    }

    /** Whether a file without a whole header has a record that says that its header was forced. */
    private boolean hasRecords(DiskFile file, long number) throws IOException {
      if (file.size() <= headerBytes || headers.isEmpty()) { // then nothing tells its identity
        return file.size() > headerBytes;
      }
      FileHeader before = headers.getLast();
      LogReader reader = new LogReader(file, before, file.size());
      return Rest.of(reader, number, before.identity().getMostSignificantBits()).forced() > 0;
    }

    private void leaveObsolete() {
      long oldest = headers.stream().mapToLong(FileHeader::oldest).max().orElse(0);
      for (FileHeader header : List.copyOf(headers)) {
        if (header.number() < oldest) {
          obsolete.add(header.number());
          headers.remove(header);
        }
      }
    }

    private void checkTogether() throws IOException {
      long expected = headers.isEmpty() ? 0 : headers.getLast().oldest();
      for (FileHeader header : headers) {
        String path = disk.path(JournalLayout.fileName(header.number()));
        if (header.number() != expected && !header.equals(headers.getFirst())) {
          throw missing(disk, expected);
        }
        if (!header.identity().equals(headers.getFirst().identity())) {
          throw new DamagedJournalException(path, 0, "a file of another journal");
        }
        expected = header.number() + 1;
      }
    }
  }
}
