package dev.isogrid.journal;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes records to the last file of a journal, and begins new files. For one thread. */
final class LogWriter implements AutoCloseable {
  /*
   * Records are kept until they were forced. When a write or a force fails, all that was not forced
   * is written again, at the same place: a system may have forgotten what it could not write, and
   * then says that a second force succeeded. Readers may know the place already, so it stays the
   * same even if the file is too large by then.
   *
   * A file ends with a SEAL, which is written when all before it was forced, and forced itself
   * before the next file is created. So only the last file can have records that are not whole.
   *
   * A force of bytes that make a file longer writes where they are as well, in a place of its own.
   * So a file that is forced often gets zeros behind its records, which later records replace. They
   * are no record: a start cuts them off, as the seal does.
   */
  private static final System.Logger log = System.getLogger(LogWriter.class.getName());

  /** Bytes that are handed to the file system at once. */
  private static final int BUFFER_BYTES = 1 << 18;

  /** The zeros behind the records: those of some hundred forces, and less than a millisecond. */
  private static final int RESERVE_BYTES = 1 << 18;

  /** Systems handle what is written at once as one page; each force would write all of it. */
  private static final int ZEROS_BYTES = 1 << 12;

  private final Disk disk;
  private final JournalScope scope;
  private final UUID identity;
  private final int epoch;

  /** The size at which the next file is begun. */
  private long fileBytesMax;

  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

  /** Complete files, the oldest first. */
  private final Deque<LogFile> complete;

  /** What was written and not forced, in its order. */
  private final Deque<Run> written = new ArrayDeque<>();

  /** What is to be written, in its order; all of it is later than {@link #written}. */
  private final Deque<Run> pending = new ArrayDeque<>();

  /** What was written and not told of, in its order. */
  private final Deque<Run> untold = new ArrayDeque<>();

  /** Whether anybody is to be told where records are. */
  private final boolean isTelling;

  /** The file that is written. Written by the thread, read by any for messages. */
  private volatile long number;

  private @Nullable DiskFile file;
  private int headerLength;

  /** Where the next write goes. */
  private long end;

  /** What is written behind the records; null if nothing is. */
  private @Nullable ByteBuffer zeros;

  /** Where the zeros of the file end. */
  private long reservedEnd;

  /** The place up to which all was forced. Written by the thread, read by any. */
  private volatile JournalPlace forcedPlace = JournalPlace.NONE;

  /** What is before it in the file was forced. Written by the thread, read by any. */
  private volatile long forced;

  /** What a MARK in the file says. */
  private long marked;

  /** Whether all but the SEAL was forced, so that nothing but a new file may follow. */
  private boolean isSealing;

  /** Whether a file was created and not completed. */
  private boolean isBeginning = true;

  /** The greatest version of all records so far. */
  private long floor;

  private long unforcedBytes;
  private long completeBytes;

  /**
   * Records of a buffer that follow each other.
   *
   * @param from where the first one is
   * @param to the end of the last one
   * @param bytes of all of them
   * @param file the number of the file that they were written to; 0 if they were not
   * @param offset where they begin in that file
   */
  private record Run(RecordBuffer buffer, int from, int to, long bytes, long file, long offset) {
    boolean isWritten() {
      return file != 0;
    }
  }

  /**
   * Takes over what is there; {@link #begin} creates the first file.
   *
   * @param complete the files that count; taken
   * @param lastNumber of any file that ever was, 0 for none
   * @param floor the greatest version that was given
   * @param isTelling whether {@link #tell} is going to be called
   */
  // tidy: all that a journal goes on with
  LogWriter(
      Disk disk,
      JournalScope scope,
      UUID identity,
      int epoch,
      long fileBytesMax,
      Deque<LogFile> complete,
      long lastNumber,
      long floor,
      boolean isTelling) {
    this.isTelling = isTelling;
    this.disk = disk;
    this.scope = scope;
    this.identity = identity;
    this.epoch = epoch;
    this.fileBytesMax = fileBytesMax;
    this.complete = complete;
    this.number = lastNumber;
    this.floor = floor;
    this.completeBytes = complete.stream().mapToLong(LogFile::bytes).sum();
  }

  /**
   * Creates the next file. When this returns, it outlives a loss of power.
   *
   * @throws IOException if the disk refuses it; may be called again then
   */
  void begin() throws IOException {
    long next = number + 1;
    long oldest = complete.isEmpty() ? next : complete.getFirst().number();
    byte[] header = new FileHeader(epoch, next, oldest, floor, identity, scope).toBytes();
    DiskFile created = disk.create(JournalLayout.fileName(next));
    try {
      created.write(ByteBuffer.wrap(header), 0);
      created.force();
      disk.forceNames();
    } catch (IOException failure) {
      closeAfter(failure, created);
      throw failure;
    }
    number = next;
    file = created;
    headerLength = header.length;
    end = header.length;
    forced = header.length;
    forcedPlace = new JournalPlace(next, header.length);
    marked = 0;
    reservedEnd = 0;
    isSealing = false;
    isBeginning = false;
  }

  /** Writes zeros ahead of the records from now on, so that forces of a few records are quick. */
  void reserve() {
    zeros = ByteBuffer.allocateDirect(ZEROS_BYTES);
  }

  private static void closeAfter(IOException failure, DiskFile file) {
    try {
      file.close();
    } catch (IOException alsoFailed) {
      failure.addSuppressed(alsoFailed);
    }
  }

  private DiskFile file() {
    DiskFile open = file;
    if (open == null) {
      throw new IllegalStateException("no file; begin() first");
    }
    return open;
  }

  /** Whether a record was forced. Any thread; no, if it was only a moment ago. */
  boolean isForced(long place) {
    long current = number;
    long file = Place.file(place, current);
    return file < current || Place.offset(place) < forced;
  }

  /** Returns the place up to which all was forced. Any thread. */
  JournalPlace forcedPlace() {
    return forcedPlace;
  }

  /** Returns the journal's identity. Any thread. */
  UUID identity() {
    return identity;
  }

  /** Adds a record, to be written by {@link #write}. Takes it. */
  void add(byte[] record) {
    add(new RecordBuffer(0, record, 0, 0), 0, record.length);
  }

  /**
   * Adds records, to be written by {@link #write}.
   *
   * @param buffer borrowed until they were forced, and {@link #tell told} of
   * @param from where the first one is
   * @param to the end of the last one
   */
  void add(RecordBuffer buffer, int from, int to) {
    long bytes = 0;
    for (int at = from; at < to; at = buffer.behind(at)) {
      floor = Math.max(floor, buffer.version(at));
      bytes += buffer.length(at);
    }
    pending.add(new Run(buffer, from, to, bytes, 0, 0));
    unforcedBytes += bytes;
  }

  /** Says at which size the next file is begun from now on. */
  void fileBytesMax(long bytes) {
    fileBytesMax = bytes;
  }

  /** Returns the bytes of the records that were added and not forced. */
  long unforcedBytes() {
    return unforcedBytes;
  }

  /** Returns the bytes of all files. */
  long bytes() {
    return completeBytes + end;
  }

  /** Returns the path of the file that is written. */
  String path() {
    return disk.path(JournalLayout.fileName(number));
  }

  /** Returns the complete files, the oldest first. */
  Deque<LogFile> complete() {
    return complete;
  }

  /**
   * Writes all records that were added.
   *
   * @throws IOException if the disk refuses it; the records stay, and are written by the next call
   */
  void write() throws IOException {
    try {
      if (isSealing || isBeginning) {
        roll();
      }
      while (!pending.isEmpty()) {
        Run run = pending.getFirst();
        boolean isFull = end + run.buffer().length(run.from()) > fileBytesMax;
        if (isFull && !run.isWritten() && end > headerLength) {
          force();
          roll();
        }
        if (marked < forced) {
          put(JournalLayout.mark(JournalLayout.MARK, forced, number, high()));
          marked = forced;
        }
        Run done = put(run);
        pending.remove();
        if (done.to() < run.to()) {
          long rest = run.bytes() - done.bytes();
          pending.addFirst(new Run(run.buffer(), done.to(), run.to(), rest, 0, 0));
        }
        written.add(done);
        if (isTelling) {
          untold.add(done);
        }
      }
      flush();
    } catch (IOException failure) {
      rewind();
      throw failure;
    }
  }

  /** Tells where the records are that were written since the last call. */
  void tell(LiveEntries entries) {
    if (untold.isEmpty()) {
      return;
    }
    JournalRecord record = new JournalRecord();
    for (Run each = untold.poll(); each != null; each = untold.poll()) {
      RecordBuffer from = each.buffer();
      long offset = each.offset();
      for (int at = each.from(); at < each.to(); at = from.behind(at)) {
        from.point(record, at);
        record.setPlace(each.file(), offset);
        entries.written(record);
        offset += from.length(at);
      }
    }
    entries.settled();
  }

  private long high() {
    return identity.getMostSignificantBits();
  }

  /** Puts records into the file, one at least; those that fit, unless they were there before. */
  private Run put(Run run) throws IOException {
    RecordBuffer from = run.buffer();
    long begin = end;
    int at = run.from();
    do {
      put(from, at);
      at = from.behind(at);
    } while (at < run.to() && (run.isWritten() || end + from.length(at) <= fileBytesMax));
    return new Run(from, run.from(), at, end - begin, number, begin);
  }

  private void put(RecordBuffer from, int at) throws IOException {
    int length = from.length(at);
    int done = 0;
    while (done < length) {
      if (!buffer.hasRemaining()) {
        flush();
      }
      int count = Math.min(length - done, buffer.remaining());
      from.copyTo(buffer, at, done, count);
      done += count;
      end += count;
    }
  }

  private void put(byte[] record) throws IOException {
    if (record.length > buffer.remaining()) {
      flush();
    }
    buffer.put(record);
    end += record.length;
  }

  private void flush() throws IOException {
    flush(end);
  }

  /** Writes what is in the buffer, which ends at a place of the file. */
  private void flush(long bufferEnd) throws IOException {
    buffer.flip();
    int bytes = buffer.remaining();
    if (bytes > 0) {
      file().write(buffer, bufferEnd - bytes);
    }
    buffer.clear();
  }

  /** Forgets what was written after the last force, so that it is written again. */
  private void rewind() {
    buffer.clear();
    if (!isSealing) {
      end = forced;
      marked = 0;
    }
    while (!written.isEmpty()) {
      Run last = written.removeLast();
      pending.addFirst(last);
      if (last.equals(untold.peekLast())) {
        untold.removeLast();
      }
    }
  }

  /**
   * Makes all that was written outlive a loss of power.
   *
   * @throws IOException if the disk refuses it; all that was not forced is written again
   */
  void force() throws IOException {
    if (isSealing || isBeginning) {
      return;
    }
    try {
      flush();
      if (zeros != null && end > reservedEnd) {
        writeZeros(zeros);
      }
      file().force();
    } catch (IOException failure) {
      rewind();
      throw failure;
    }
    forced = end;
    forcedPlace = new JournalPlace(number, end);
    while (!written.isEmpty()) {
      unforcedBytes -= written.remove().bytes();
    }
  }

  private void writeZeros(ByteBuffer from) {
    long until = Math.min(end + RESERVE_BYTES, fileBytesMax);
    reservedEnd = Long.MAX_VALUE;
    try {
      for (long at = end; at < until; at += from.limit()) {
        long untilPage = ZEROS_BYTES - at % ZEROS_BYTES;
        file().write(from.clear().limit((int) Math.min(untilPage, until - at)), at);
      }
      reservedEnd = until;
    } catch (IOException failure) { // the disk may still take the records
      log.log(Level.DEBUG, "no space ahead of the records: " + path(), failure);
    }
  }

  /**
   * Says in the file that all in it was forced, if that is so and not said yet. That outlives the
   * process: without it, damage to what was forced last looks like a write that was cut off.
   *
   * @throws IOException if the disk refuses it; the next write says it again then
   */
  void mark() throws IOException {
    if (isSealing || isBeginning || marked >= forced || end != forced || !pending.isEmpty()) {
      return;
    }
    if (end + JournalLayout.MARK_BYTES > fileBytesMax) {
      return; // a seal will say it
    }
    try {
      put(JournalLayout.mark(JournalLayout.MARK, forced, number, high()));
      marked = forced;
      flush();
    } catch (IOException failure) {
      rewind();
      throw failure;
    }
  }

  /** Completes the file, in which all is forced, and begins the next one. */
  private void roll() throws IOException {
    if (!isBeginning) {
      seal();
      complete.add(new LogFile(number, end));
      completeBytes += end;
      end = 0;
      isSealing = false;
      isBeginning = true;
      file().close();
    }
    begin();
  }

  private void seal() throws IOException {
    isSealing = true;
    byte[] seal = JournalLayout.mark(JournalLayout.SEAL, forced, number, high());
    file().write(ByteBuffer.wrap(seal), forced);
    file().truncate(forced + seal.length);
    file().force();
    end = forced + seal.length;
  }

  /** Deletes the oldest file; what was deleted stays so after a loss of power. */
  void deleteOldest() throws IOException {
    LogFile oldest = complete.getFirst();
    disk.delete(oldest.name());
    disk.forceNames();
    complete.remove();
    completeBytes -= oldest.bytes();
  }

  /**
   * Writes, forces and completes what there is, and closes the file.
   *
   * @throws IOException if the disk refuses it
   */
  @Override
  public void close() throws IOException {
    if (file == null) {
      return;
    }
    try {
      write();
      force();
      if (!isBeginning) {
        seal();
      }
    } finally {
      file().close();
    }
  }
}
