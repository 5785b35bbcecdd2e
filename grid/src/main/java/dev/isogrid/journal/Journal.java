package dev.isogrid.journal;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.Fsync;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.Scheduler;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The log of what happened to the entries of a cache, on a disk. Thread-safe, but the records of a
 * segment are appended by one thread at a time.
 */
public final class Journal implements AutoCloseable {
  /*
   * Writers put records into a queue. One task, the worker, takes all that is there, writes it, and
   * forces it if anybody waits for that or the time has come: those who come meanwhile share the
   * next force. Nobody does I/O under a lock; the lock of the queue is held for a few stores.
   *
   * A position is the number of bytes of records that were appended before; it has nothing to do
   * with places in files.
   *
   * When the disk fails, what was not forced stays in memory. Writers are refused, so that it does
   * not grow; those who wait for a force learn that nobody knows. The worker tries again with each
   * tick, from the last force on, and lets writers in when all is on the disk.
   */
  private static final System.Logger log = System.getLogger(Journal.class.getName());

  /** Records that are not forced take that much memory at most before they are forced. */
  private static final long FORCE_BYTES = 4 << 20;

  /** With so much to force, writers that can't block go where they can. */
  private static final long BUSY_BYTES = 8 << 20;

  /** With so much to force, writers wait. */
  private static final long FULL_BYTES = 16 << 20;

  /** How often a disk that fails is tried again, and what is due is looked for. */
  private static final long TICK_MILLIS = 1000;

  /** Longer than a force takes on any disk that works. */
  private static final long WAIT_SECONDS = 30;

  private final JournalScope scope;
  private final JournalSettings settings;
  private final Disk disk;
  private final LogWriter writer;
  private final Cleaner cleaner;
  private final Executor executor;
  private final List<Scheduler.Task> ticks = new ArrayList<>();

  /** The sequence of each segment's last record. Guarded by the caller, segment by segment. */
  private final long[] sequences;

  private final LongAdder liveBytes = new LongAdder();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Guarded by the lock. */
  private List<byte[]> queue = new ArrayList<>();

  /** Written under the lock. */
  private volatile long appended;

  /** Written by the worker, under the lock. */
  private volatile long forced;

  /** Written by the worker, under the lock; null while the disk works. */
  private volatile @Nullable IOException failure;

  /** Guarded by the lock. */
  private boolean isClosing;

  /** Written by the worker, under the lock. */
  private boolean isEnded;

  /** How often the worker was asked to run since it last began; 0 if it does not run. */
  private final AtomicInteger wakes = new AtomicInteger();

  /** Whether all that was written is to be forced. Set by a tick, cleared by the worker. */
  private volatile boolean isForceTime;

  /** Whether the cleaner waits for something. Written by the worker. */
  private volatile boolean isCleaning;

  /** The bytes of all files. Written by the worker. */
  private volatile long fileBytes;

  /** The bytes that were carried. Written by the worker. */
  private volatile long carriedBytes;

  /** The position of what the writer has. Written by the worker. */
  private long handedOver;

  // tidy: the parts of one journal
  Journal(
      JournalScope scope,
      JournalSettings settings,
      Disk disk,
      LogWriter writer,
      long[] sequences,
      long live,
      LiveEntries entries,
      JournalThreads threads) {
    this.scope = scope;
    this.settings = settings;
    this.disk = disk;
    this.writer = writer;
    this.sequences = sequences;
    this.liveBytes.add(live);
    this.cleaner = new Cleaner(disk, writer, entries, settings.fileBytes());
    this.executor = threads.executor();
    this.fileBytes = writer.bytes();
    ticks.add(threads.ticks().every(TICK_MILLIS, this::tick));
    if (settings.fsync() == Fsync.INTERVAL) {
      ticks.add(threads.ticks().every(settings.intervalMillis(), this::forceTick));
    }
  }

  /** Returns whether a write returns only when it was forced. */
  public boolean isForcedEach() {
    return settings.fsync() == Fsync.EACH;
  }

  /** Returns whether {@link #admit} may have to wait; a hint. */
  public boolean isBusy() {
    return appended - forced >= BUSY_BYTES;
  }

  /** Returns whether the disk fails, so that {@link #admit} refuses. */
  public boolean isFailing() {
    return failure != null;
  }

  /**
   * Lets a write begin. Waits if much is to be forced; not to be called with a segment's lock.
   *
   * @throws RetryableGridException if the disk fails; nothing was written then
   */
  public void admit() {
    IOException failed = failure;
    if (failed != null) {
      throw refusal(failed);
    }
    if (appended - forced >= FULL_BYTES) {
      awaitRoom();
    }
  }

  private RetryableGridException refusal(IOException failed) {
    return new RetryableGridException(
        ("write refused, since the store's disk fails: cache=%s, file=%s, reason=%s; make room on"
                + " the disk or mend it, reads go on and writes will")
            .formatted(scope.cache(), writer.path(), failed),
        failed);
  }

  private void awaitRoom() {
    lock.lock();
    try {
      long left = TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
      while (appended - forced >= FULL_BYTES) {
        IOException failed = failure;
        if (failed != null) {
          throw refusal(failed);
        }
        if (left <= 0) {
          throw new RetryableGridException(
              ("write refused, since the store's disk is too slow: cache=%s, file=%s, waited=%d s;"
                      + " try again")
                  .formatted(scope.cache(), writer.path(), WAIT_SECONDS));
        }
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException interruption) {
      Thread.currentThread().interrupt();
      throw new RetryableGridException(
          "interrupted: cache=" + scope.cache() + "; try again", interruption);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Appends a put. Does not block.
   *
   * @param put complete; taken
   * @param liveDelta by how many bytes the live records grow
   * @return the position for {@link #await}
   */
  public long append(PutRecord put, long liveDelta) {
    return append(put.segment(), put.bytes(), liveDelta);
  }

  /**
   * Appends the removal of an entry. Does not block.
   *
   * @param key copied
   * @param liveBytes the bytes of the entry's record, which counts no more
   * @return the position for {@link #await}
   */
  public long remove(int segment, long version, byte[] key, long liveBytes) {
    byte[] record = JournalLayout.newRemove(segment, version, key.length);
    System.arraycopy(key, 0, record, JournalLayout.REMOVE_KEY, key.length);
    return append(segment, record, -liveBytes);
  }

  /**
   * Appends the removal of all entries of a segment. Does not block.
   *
   * @param liveBytes the bytes of their records, which count no more
   * @return the position for {@link #await}
   */
  public long clear(int segment, long liveBytes) {
    return append(segment, JournalLayout.newClear(segment), -liveBytes);
  }

  private long append(int segment, byte[] record, long liveDelta) {
    JournalLayout.complete(record, sequences[segment] + 1);
    long position = enqueue(record);
    sequences[segment]++;
    liveBytes.add(liveDelta);
    wake();
    return position;
  }

  private long enqueue(byte[] record) {
    lock.lock();
    try {
      if (isEnded) {
        throw new FatalGridException(
            "store closed: cache=%s; the write is not kept".formatted(scope.cache()));
      }
      queue.add(record);
      long position = appended + record.length;
      appended = position;
      return position;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until what was appended up to a position was forced.
   *
   * @throws IndeterminateGridException if the disk fails or is too slow: the write can be seen, and
   *     is kept only if the disk takes it before the process ends
   */
  public void await(long position) {
    if (forced >= position) {
      return;
    }
    String reason = awaitForced(position);
    if (reason != null) {
      throw new IndeterminateGridException(
          ("write is not on the disk yet: cache=%s, file=%s, reason=%s; it can be read, and"
                  + " outlives the process only if the disk takes it before")
              .formatted(scope.cache(), writer.path(), reason));
    }
  }

  private @Nullable String awaitForced(long position) {
    lock.lock();
    try {
      long left = TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
      while (forced < position) {
        IOException failed = failure;
        if (failed != null) {
          return failed.toString();
        }
        if (isEnded || left <= 0) {
          return isEnded ? "closed" : "no answer for " + WAIT_SECONDS + " s";
        }
        left = changed.awaitNanos(left);
      }
      return null;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return "interrupted";
    } finally {
      lock.unlock();
    }
  }

  private void tick() {
    if (failure != null || isCleaning) {
      wake();
    }
  }

  private void forceTick() {
    if (appended > forced) {
      isForceTime = true;
      wake();
    }
  }

  private void wake() {
    if (wakes.getAndIncrement() == 0) {
      executor.execute(this::run);
    }
  }

  private void run() {
    int seen;
    do {
      seen = wakes.get();
      try {
        while (work()) {
          // until there is nothing to do
        }
      } catch (RuntimeException | Error bug) {
        fail(new IOException("store's task failed: " + bug, bug));
        ended();
        throw bug;
      }
    } while (!wakes.compareAndSet(seen, 0));
  }

  /** Writes what is there; returns whether there is more to do at once. */
  private boolean work() {
    List<byte[]> batch = new ArrayList<>();
    boolean isLast;
    lock.lock();
    try {
      if (isEnded) {
        return false;
      }
      isLast = isClosing;
      List<byte[]> empty = batch;
      batch = queue;
      queue = empty;
    } finally {
      lock.unlock();
    }
    for (byte[] record : batch) {
      writer.add(record);
      handedOver += record.length;
    }
    try {
      if (isLast) {
        end();
        return false;
      }
      writer.write();
      if (isForceDue()) {
        isForceTime = false;
        writer.force();
      }
      succeed();
      boolean isMore = cleaner.step(liveBytes.sum(), appended, forced, this::drop);
      isCleaning = cleaner.isAtWork();
      carriedBytes = cleaner.carriedBytes();
      fileBytes = writer.bytes();
      return isMore;
    } catch (IOException failed) {
      fail(failed);
      if (isLast) {
        ended();
      }
      return false;
    }
  }

  private long drop() {
    return enqueue(JournalLayout.drop(writer.complete().getFirst().number()));
  }

  private boolean isForceDue() {
    long unforced = writer.unforcedBytes();
    return unforced > 0
        && (isForcedEach()
            || isForceTime
            || unforced >= FORCE_BYTES
            || failure != null
            || cleaner.needsForce());
  }

  /** Tells those who wait. */
  private void succeed() {
    long reached = handedOver - writer.unforcedBytes();
    IOException before = failure;
    if (reached == forced && before == null) {
      return;
    }
    lock.lock();
    try {
      forced = reached;
      failure = null;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (before != null) {
      log.log(
          Level.INFO,
          "store's disk works again, writes go on: cache=%s, file=%s"
              .formatted(scope.cache(), writer.path()));
    }
  }

  private void fail(IOException failed) {
    boolean isNew;
    lock.lock();
    try {
      isNew = failure == null;
      failure = failed;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (isNew) {
      log.log(
          Level.ERROR,
          ("store's disk fails, writes are refused: cache=%s, file=%s, bytes in memory only=%d;"
                  + " make room on it or mend it while the process runs, so that nothing is lost")
              .formatted(scope.cache(), writer.path(), appended - forced),
          failed);
    }
  }

  /** Returns what was done and what there is. */
  public JournalStats stats() {
    return new JournalStats(appended, forced, carriedBytes, fileBytes, liveBytes.sum());
  }

  /**
   * Writes and forces what was appended, and ends. Later appends fail. Waits 30 s at most, also if
   * the thread is interrupted; closing twice is harmless. If the disk fails, the log says what is
   * lost.
   */
  @Override
  public void close() {
    ticks.forEach(Scheduler.Task::close);
    lock.lock();
    try {
      isClosing = true;
    } finally {
      lock.unlock();
    }
    wake();
    awaitEnd();
    if (appended > forced) {
      log.log(
          Level.ERROR,
          "store closed before all was on the disk: cache=%s, file=%s, lost bytes=%d, reason=%s"
              .formatted(scope.cache(), writer.path(), appended - forced, failure));
    }
  }

  private void awaitEnd() {
    boolean isInterrupted = false;
    lock.lock();
    try {
      long left = TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
      while (!isEnded && left > 0) {
        try {
          left = changed.awaitNanos(left);
        } catch (InterruptedException _) {
          isInterrupted = true;
        }
      }
    } finally {
      lock.unlock();
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The worker's last work. */
  private void end() throws IOException {
    cleaner.close();
    writer.write();
    writer.force();
    succeed();
    writer.close();
    ended();
  }

  private void ended() {
    try {
      disk.close();
    } catch (IOException failed) {
      log.log(Level.WARNING, "store's folder can't be unlocked: " + disk.path(""), failed);
    }
    lock.lock();
    try {
      isEnded = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
