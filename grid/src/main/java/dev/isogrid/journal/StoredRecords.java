package dev.isogrid.journal;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads single records of a journal, whose files it opens for that. Thread-safe. */
public final class StoredRecords implements AutoCloseable {
  /*
   * A file is opened with its first read and stays open; when there are too many, those that were
   * not read for the longest time are closed. A file that is deleted is closed after the reads that
   * are under way: a reader whose place is in it learns that, and asks for the place again.
   *
   * The interrupt of a reader closes the file that it reads, for all readers. Each of them lets go
   * of it, and reads again from the same file, opened again; the one that was interrupted stays so.
   */
  /** Open files of one cache: of up to 32 MB each, the hot ones of some gigabytes. */
  private static final int OPEN_MAX = 256;

  /** Reads of which each found its file closed by the interrupt of some reader. */
  private static final int ATTEMPTS_MAX = 100;

  private final Disk disk;
  private final int segments;
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock; the one that was read last is the last one. */
  private final Map<Long, Handle> handles = new LinkedHashMap<>(16, 0.75f, true);

  /** The greatest number of a file with a place. Written under the lock. */
  private volatile long latest;

  /** Guarded by the lock. */
  private boolean isClosed;

  /** What reads a file. */
  @FunctionalInterface
  private interface Reading<T> {
    T read(DiskFile file) throws IOException;
  }

  private static final class Handle {
    final long number;
    final DiskFile file;
    int readers;

    /** Whether the last reader closes it. */
    boolean isGone;

    Handle(long number, DiskFile file) {
      this.number = number;
      this.file = file;
    }
  }

  /**
   * Opens nothing yet.
   *
   * @param segments those of the cache
   */
  public StoredRecords(Disk disk, int segments) {
    this.disk = disk;
    this.segments = segments;
  }

  /** Notes that the place of a record may be asked for. */
  public void noteFile(JournalRecord record) {
    long number = record.file();
    if (number <= latest) {
      return;
    }
    lock.lock();
    try {
      latest = Math.max(latest, number);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of the file that a place is in. */
  public long fileOf(long place) {
    return Place.file(place, latest);
  }

  /**
   * Returns the put at a place. Blocks; one positioned read.
   *
   * @return null if its file was deleted, so that its place is another one by now
   * @throws DamagedJournalException if the record was not read as it was written
   * @throws IOException if the disk refuses it
   */
  public @Nullable JournalRecord read(long place) throws IOException {
    long number = Place.file(place, latest);
    return read(number, file -> read(file, number, place));
  }

  /** Reads from a file, again if that was closed meanwhile; returns null if it was deleted. */
  private <T> @Nullable T read(long number, Reading<T> reading) throws IOException {
    boolean isInterrupted = false;
    try {
      for (int attempt = 1; ; attempt++) {
        Handle handle = acquire(number);
        if (handle == null) {
          return null;
        }
        try {
          return reading.read(handle.file);
        } catch (ClosedChannelException closed) {
          letGo(handle);
          if (attempt == ATTEMPTS_MAX) {
            throw closed;
          }
          isInterrupted |= Thread.interrupted();
        } finally {
          release(handle);
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Lets the next reader open a file again. */
  private void letGo(Handle handle) {
    lock.lock();
    try {
      if (handles.remove(handle.number, handle)) {
        handle.isGone = true;
      }
    } finally {
      lock.unlock();
    }
  }

  private JournalRecord read(DiskFile file, long number, long place) throws IOException {
    long offset = Place.offset(place);
    int room = (int) Math.min(Place.lengthMax(place), Integer.MAX_VALUE - Long.BYTES);
    JournalRecord record = new JournalRecord();
    String trouble = record.readFrom(file, offset, room, segments);
    if (trouble != null) {
      throw new DamagedJournalException(disk.path(JournalLayout.fileName(number)), offset, trouble);
    }
    record.setPlace(number, offset);
    return record;
  }

  /**
   * Shows the puts of a file, in their order; from the first one again if the file was closed
   * meanwhile. Blocks.
   *
   * @param reader borrows the record for the call
   * @return whether all of it could be read, or there is no such file any more
   */
  public boolean readAll(long number, Consumer<JournalRecord> reader) throws IOException {
    Boolean isWhole = read(number, file -> readAll(file, number, reader));
    return isWhole == null || isWhole;
  }

  private boolean readAll(DiskFile file, long number, Consumer<JournalRecord> reader)
      throws IOException {
    FileHeader header = FileHeader.read(disk, file, number);
    LogReader records = new LogReader(file, header, file.size());
    JournalRecord record = new JournalRecord();
    while (records.next(record)) {
      if (record.isPut()) {
        reader.accept(record);
      }
    }
    long end = records.offset();
    return records.trouble() == null || LogReader.contentEnd(file, end) == end;
  }

  private @Nullable Handle acquire(long number) throws IOException {
    Handle known = tryAcquire(number, null);
    if (known != null) {
      return known;
    }
    Handle opened = tryOpen(number);
    if (opened == null) {
      return null;
    }
    Handle used = tryAcquire(number, opened);
    if (used == null || !used.equals(opened)) {
      opened.file.close();
    }
    return used;
  }

  /** Opens a file, unless it was deleted, as the cleaner may do at any time. */
  private @Nullable Handle tryOpen(long number) throws IOException {
    String name = JournalLayout.fileName(number);
    if (!disk.exists(name)) {
      return null;
    }
    try {
      return new Handle(number, disk.open(name));
    } catch (NoSuchFileException _) {
      return null;
    }
  }

  private @Nullable Handle tryAcquire(long number, @Nullable Handle opened) throws IOException {
    List<Handle> closing = new ArrayList<>();
    Handle handle;
    lock.lock();
    try {
      if (isClosed) {
        throw new IOException("store closed: folder=" + disk.path(""));
      }
      handle = handles.get(number);
      if (handle == null && opened != null) {
        handle = opened;
        handles.put(number, opened);
        leaveOut(closing);
      }
      if (handle != null) {
        handle.readers++;
      }
    } finally {
      lock.unlock();
    }
    for (Handle each : closing) {
      each.file.close();
    }
    return handle;
  }

  /** Finds what is to be closed, since there are too many. Locked. */
  private void leaveOut(List<Handle> closing) {
    Iterator<Handle> oldest = handles.values().iterator();
    while (handles.size() > OPEN_MAX && oldest.hasNext()) {
      Handle each = oldest.next();
      if (each.readers == 0) {
        oldest.remove();
        closing.add(each);
      }
    }
  }

  private void release(Handle handle) throws IOException {
    boolean isLast;
    lock.lock();
    try {
      handle.readers--;
      isLast = handle.readers == 0 && handle.isGone;
    } finally {
      lock.unlock();
    }
    if (isLast) {
      handle.file.close();
    }
  }

  /** Lets go of a file that is deleted. */
  public void deleted(long number) throws IOException {
    Handle gone;
    lock.lock();
    try {
      gone = leave(handles.remove(number));
    } finally {
      lock.unlock();
    }
    if (gone != null) {
      gone.file.close();
    }
  }

  /** Marks a handle as gone, and returns it if nobody reads. Locked. */
  private static @Nullable Handle leave(@Nullable Handle handle) {
    if (handle == null) {
      return null;
    }
    handle.isGone = true;
    return handle.readers == 0 ? handle : null;
  }

  /** Closes all files. Later reads fail. Closing twice is harmless. */
  @Override
  public void close() throws IOException {
    List<Handle> closing = new ArrayList<>();
    lock.lock();
    try {
      isClosed = true;
      for (Handle each : handles.values()) {
        Handle unused = leave(each);
        if (unused != null) {
          closing.add(unused);
        }
      }
      handles.clear();
    } finally {
      lock.unlock();
    }
    for (Handle each : closing) {
      each.file.close();
    }
  }
}
