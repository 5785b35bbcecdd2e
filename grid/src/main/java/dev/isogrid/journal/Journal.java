package dev.isogrid.journal;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.Fsync;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.EpochClock;
import dev.isogrid.base.Scheduler;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The log of what happened to the entries of a cache, on a disk. Thread-safe, but the records of a
 * segment are appended by one thread at a time.
 */
public final class Journal implements AutoCloseable {
  /*
   * Writers copy records into a queue. One task, the worker, takes all that is there, writes it,
   * and forces it if anybody waits for that or the time has come: those who come meanwhile share
   * the next force. Nobody does I/O under a lock, and writers append without this one's lock.
   *
   * If nobody waits for the disk, the worker pauses after each write, so that it writes many
   * records at once and writers need not wake it. Those who wait, or make the queue long, end the
   * pause.
   *
   * A position is the number of bytes of records that were appended before; it has nothing to do
   * with places in files.
   *
   * When the disk fails, what was not forced stays in memory. Writers are refused, so that it does
   * not grow; those who wait for a force learn that nobody knows. The worker tries again with each
   * tick, from the last force on, and lets writers in when all is on the disk.
   */
  private static final System.Logger log = System.getLogger(Journal.class.getName());

  /**
   * The pause between two writes if nobody waits for one. A killed process loses the records of one
   * pause; a writer pays for a thousandth of a wake-up at most.
   */
  private static final long PAUSE_NANOS = 1_000_000;

  /** So many records in the queue end the pause: a write of the disk's full speed. */
  private static final long BATCH_BYTES = 1 << 18;

  /**
   * With so much to force, writers wait: a sixteenth of the heap, as it is in memory until then. No
   * more than a disk forces in about a second.
   */
  private static final long FULL_BYTES =
      Math.clamp(Runtime.getRuntime().maxMemory() / 16, 16 << 20, 64 << 20);

  /** With so much to force, writers that can't block go where they can. */
  private static final long BUSY_BYTES = FULL_BYTES / 2;

  /** Records that are not forced take that much memory at most before they are forced. */
  private static final long FORCE_BYTES = FULL_BYTES / 4;

  /** How often a disk that fails is tried again, and what is due is looked for. */
  private static final long TICK_MILLIS = 1000;

  /** Longer than a force takes on any disk that works. */
  private static final long WAIT_SECONDS = 30;

  private static final long WAIT_TICKS = WAIT_SECONDS * 1000 / TICK_MILLIS;

  private static final String CLOSED = "closed";

  private static final String TOO_SLOW = "no answer for " + WAIT_SECONDS + " s";

  private final JournalScope scope;
  private final JournalSettings settings;
  private final Disk disk;
  private final LogWriter writer;
  private final Cleaner cleaner;
  private final LiveEntries entries;
  private final Executor executor;
  private final JournalThreads.@Nullable Pause pause;
  private final EpochClock clock;
  private final List<Scheduler.Task> ticks = new ArrayList<>();

  /** The sequence of each segment's last record. Guarded by the caller, segment by segment. */
  private final long[] sequences;

  /**
   * The position behind each segment's last change; null if writes need not be forced. Written in
   * release mode under the locks of the segments, read in acquire mode by any thread.
   */
  private final @Nullable AtomicLongArray changes;

  /** The number of the first file of this process. */
  private final long begunFile;

  /** The bytes of the records that count, of those that were taken. Written by the worker. */
  private volatile long liveBytes;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Where those wait whose records are in the queue. Guarded by the lock. */
  private Condition queued = lock.newCondition();

  /** Where those wait whose records are being forced. Guarded by the lock. */
  private Condition taken = lock.newCondition();

  /** Tasks that wait until records were forced. Guarded by the lock. */
  private final ForceTasks tasks = new ForceTasks();

  /** The ticks so far. Written by the ticks. */
  private volatile long tickCount;

  /** The position of the queue's begin. Guarded by the lock. */
  private long takenPosition;

  /** Signalled when more was told of. */
  private final Condition toldChanged = lock.newCondition();

  private final RecordQueue queue = new RecordQueue();

  /** Used by the worker. */
  private final ReplacedVersions replacedVersions;

  /** Written by the worker, under the lock. */
  private volatile long forced;

  /** Written by the worker, under the lock; null while the disk works. */
  private volatile @Nullable IOException failure;

  /** Told when more was forced. Written by {@link #whenForced}. */
  private volatile @Nullable Runnable forceListener;

  /** Guarded by the lock. */
  private boolean isClosing;

  /** Written by the worker, under the lock. */
  private volatile boolean isEnded;

  /** 0 if the worker does not run; 1, and 1 more for each wish since it last looked, if it does. */
  private final AtomicInteger wakes = new AtomicInteger();

  /** The worker's thread while it pauses. Written by the worker. */
  private volatile @Nullable Thread pausing;

  /** How many threads wait until records are told of. */
  private final AtomicInteger toldWaiters = new AtomicInteger();

  /** Whether all that was written is to be forced. Set by a tick, cleared by the worker. */
  private volatile boolean isForceTime;

  /** Whether the cleaner is to be told of a tick. Set by a tick, cleared by the worker. */
  private volatile boolean isTickTime;

  /** Whether the cleaner waits for something. Written by the worker. */
  private volatile boolean isCleaning;

  /** The bytes of all files. Written by the worker. */
  private volatile long fileBytes;

  /** The bytes that were carried. Written by the worker. */
  private volatile long carriedBytes;

  /** Finished forces. Written by the worker. */
  private volatile Forces forces = new Forces(0, 0, 0);

  /** What is before it was written, and told of. Written by the worker. */
  private volatile long told;

  /** The position of what the writer has. Written by the worker. */
  private volatile long handedOver;

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
    this.changes = settings.fsync() == Fsync.EACH ? new AtomicLongArray(sequences.length) : null;
    this.liveBytes = live;
    this.entries = entries;
    this.replacedVersions = new ReplacedVersions(sequences.length);
    this.cleaner = new Cleaner(disk, writer, entries, settings, threads.clock(), replacedVersions);
    this.executor = threads.executor();
    this.pause = settings.fsync() == Fsync.EACH ? null : threads.pause();
    this.clock = threads.clock();
    this.fileBytes = writer.bytes();
    this.begunFile = writer.forcedPlace().file();
    if (isForcedEach()) {
      writer.reserve();
    }
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
    return queue.appendedAbout() - forced >= BUSY_BYTES;
  }

  /** Returns whether the disk fails, so that {@link #admit} refuses. */
  public boolean isFailing() {
    return failure != null;
  }

  /** Returns whether {@link #admit} has to wait now, since the disk is slow. Does not block. */
  public boolean isFull() {
    return queue.appendedAbout() - forced >= FULL_BYTES;
  }

  /** Returns why writes are to be refused now, or null. Does not block. */
  public @Nullable String trouble() {
    IOException failed = failure;
    return failed == null
        ? null
        : "the store's disk fails: file=%s, reason=%s".formatted(writer.path(), failed);
  }

  /** Returns the position behind all that was appended. */
  public long appendedBytes() {
    return queue.appended();
  }

  /** Returns whether all before a position was forced. Does not block. */
  public boolean isForced(long position) {
    return forced >= position;
  }

  /** Returns the position behind a segment's last change; 0 if writes need not be forced. */
  public long changedBytes(int segment) {
    AtomicLongArray changed = changes;
    return changed == null ? 0 : changed.getAcquire(segment);
  }

  /**
   * Returns whether readers may be shown what a segment has: all of it outlives the process, if
   * writes are to. While the disk fails they may, since nobody knows when that ends. Does not
   * block.
   */
  public boolean isShown(int segment) {
    return forced >= changedBytes(segment) || failure != null;
  }

  /** Waits until {@link #isShown}, at most as long as {@link #await}. */
  public void awaitShown(int segment) {
    String _ = isShown(segment) ? null : awaitForced(changedBytes(segment));
  }

  /**
   * Says who is told from now on when more was forced. Called by the task that forces; must be
   * short.
   */
  public void whenForced(Runnable listener) {
    forceListener = listener;
  }

  /** Has all that was appended forced soon, whatever the settings say. Does not wait. */
  public void forceSoon() {
    isForceTime = true;
    wake();
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
    if (queue.appendedAbout() - forced >= FULL_BYTES) {
      awaitRoom();
    }
  }

  /**
   * As {@link #admit}, for a thread that must not wait.
   *
   * @return false if the write may have to wait, here or for the disk
   */
  public boolean tryAdmit() {
    return tryAdmitUnforced() && !isForcedEach();
  }

  /** As {@link #tryAdmit}, for a write that does not wait until it was forced. */
  public boolean tryAdmitUnforced() {
    IOException failed = failure;
    if (failed != null) {
      throw refusal(failed);
    }
    return !isBusy();
  }

  private RetryableGridException refusal(IOException failed) {
    return new RetryableGridException(
        ("write refused, since the store's disk fails: cache=%s, file=%s, reason=%s; make room on"
                + " the disk or mend it: reads go on, and writes do again when the disk takes them")
            .formatted(scope.cache(), writer.path(), failed),
        failed);
  }

  private void awaitRoom() {
    lock.lock();
    try {
      long left = TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
      while (queue.appendedAbout() - forced >= FULL_BYTES) {
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
    return append(put.segment(), put.bytes(), put.replaced(), liveDelta);
  }

  /**
   * Appends a put again. Does not block.
   *
   * @param record borrowed for the call
   * @param segment the one that its key has now
   */
  public void appendAgain(JournalRecord record, int segment) {
    byte[] bytes = record.toBytes();
    JournalLayout.setSegment(bytes, segment);
    JournalLayout.addFlag(bytes, JournalLayout.IS_AGAIN);
    JournalLayout.removeFlag(bytes, JournalLayout.IS_PART); // the others of its write may be gone
    long _ = append(segment, bytes, 0);
  }

  /**
   * Returns whether what is at a place was forced, so that it is damaged if it can't be read. If
   * not, the system may have forgotten it, and the journal writes it again.
   */
  public boolean isPlaceForced(long place) {
    return failure == null && writer.isForced(place);
  }

  /** Returns the number of a segment's last record. Guarded as the records of the segment are. */
  public long lastSequence(int segment) {
    return sequences[segment];
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
   * Appends the removal of an entry whose time is over. Does not block.
   *
   * @param version of the removal, 0 if it has none
   * @param key copied
   * @param liveBytes the bytes of the entry's record, which counts no more
   * @return the position for {@link #await}
   */
  public long expire(int segment, long version, byte[] key, long liveBytes) {
    byte[] record = JournalLayout.newRemove(segment, version, key.length);
    System.arraycopy(key, 0, record, JournalLayout.REMOVE_KEY, key.length);
    JournalLayout.addFlag(record, JournalLayout.IS_EXPIRY);
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

  /**
   * As {@link #clear}, by a write of the cluster, and that the segment has all writes up to this
   * one. No end of the process comes between both, since a segment without entries and without a
   * place lacks something. Does not block.
   *
   * @param version as in {@link #place}
   * @return the position for {@link #await}
   */
  public long clearByWrite(int segment, long version, long liveBytes) {
    byte[] record = JournalLayout.newClear(segment);
    JournalLayout.addFlag(record, JournalLayout.IS_WRITE);
    byte[] place = JournalLayout.newPlace(segment, version);
    long sequence = sequences[segment] + 1;
    JournalLayout.complete(record, sequence);
    JournalLayout.complete(place, sequence + 1);
    long position = checked(queue.append(record, place, -liveBytes));
    sequences[segment] = sequence + 1;
    return appended(segment, position, true);
  }

  /**
   * Appends that a segment has all writes of its cluster up to a version. Does not block.
   *
   * @param version 0 to say that it lacks some
   * @return the position for {@link #await}
   */
  public long place(int segment, long version) {
    return append(segment, JournalLayout.newPlace(segment, version), 0);
  }

  /**
   * Appends the removal of an entry that is one of several of a write. Does not block.
   *
   * @param version of the write
   * @param key copied
   * @param liveBytes the bytes of the entry's record, which counts no more
   * @return the position for {@link #await}
   */
  public long removeTogether(int segment, long version, byte[] key, long liveBytes) {
    byte[] record = JournalLayout.newRemove(segment, version, key.length);
    System.arraycopy(key, 0, record, JournalLayout.REMOVE_KEY, key.length);
    JournalLayout.addFlag(record, JournalLayout.IS_PART);
    return append(segment, record, -liveBytes);
  }

  /**
   * Appends that a write of several entries is complete, all of whose records are parts. A start
   * that does not find this behind them leaves them out. Does not block.
   *
   * @param version as in {@link #place}
   * @return the position for {@link #await}
   */
  public long endTogether(int segment, long version) {
    return append(segment, JournalLayout.newEnd(segment, version), 0);
  }

  private long append(int segment, byte[] record, long liveDelta) {
    return append(segment, record, 0, liveDelta);
  }

  /** Appends a record that replaces a version if that is not 0. */
  private long append(int segment, byte[] record, long replacedVersion, long liveDelta) {
    long sequence = sequences[segment] + 1;
    JournalLayout.complete(record, sequence);
    long position = checked(queue.append(record, replacedVersion, liveDelta));
    sequences[segment] = sequence;
    return appended(segment, position, JournalLayout.isVisible(record));
  }

  /** Notes what was appended; returns its position. */
  private long appended(int segment, long position, boolean isVisible) {
    AtomicLongArray changed = changes;
    if (changed != null && isVisible) {
      changed.setRelease(segment, position);
    }
    if (pause == null || wakes.get() == 0 || position - handedOver >= BATCH_BYTES) {
      wake();
    }
    return position;
  }

  /** Checks a position that the queue returned. */
  private long checked(long position) {
    if (position < 0) {
      throw new FatalGridException(
          "store closed: cache=%s; the write is not kept".formatted(scope.cache()));
    }
    return position;
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
      throw notForced(reason);
    }
  }

  private IndeterminateGridException notForced(String reason) {
    return new IndeterminateGridException(
        ("write is not on the disk yet: cache=%s, file=%s, reason=%s; it can be read, and"
                + " outlives the process only if the disk takes it before")
            .formatted(scope.cache(), writer.path(), reason));
  }

  /**
   * Calls a task when {@link #checkForced} has an answer: soon after what was appended up to a
   * position was forced, and at the latest when {@link #await} would give up. Does not block.
   *
   * @param task called once, by any thread and maybe before this returns; must be short and must
   *     not block
   */
  public void afterForce(long position, Runnable task) {
    if (forced < position && isAdded(position, task)) {
      return;
    }
    task.run();
  }

  private boolean isAdded(long position, Runnable task) {
    lock.lock();
    try {
      if (forced >= position || failure != null || isEnded) {
        return false;
      }
      if (position <= takenPosition) {
        tasks.addTaken(task, tickCount);
      } else {
        tasks.addQueued(task, tickCount);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Checks that what was appended up to a position was forced, once the task of {@link #afterForce}
   * was called. Does not block.
   *
   * @throws IndeterminateGridException as {@link #await} does
   */
  public void checkForced(long position) {
    if (forced >= position) {
      return;
    }
    IOException failed = failure;
    if (failed != null) {
      throw notForced(failed.toString());
    }
    throw notForced(isEnded ? CLOSED : TOO_SLOW);
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
          return isEnded ? CLOSED : TOO_SLOW;
        }
        left = (position <= takenPosition ? taken : queued).awaitNanos(left);
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
    long now = tickCount + 1; // ticks come one after the other
    tickCount = now;
    List<Runnable> late;
    lock.lock();
    try {
      late = tasks.removeUpTo(now - WAIT_TICKS);
    } finally {
      lock.unlock();
    }
    late.forEach(Runnable::run);
    if (failure != null || isCleaning) {
      isTickTime = true;
      wake();
    }
  }

  private void forceTick() {
    if (queue.appended() > forced) {
      isForceTime = true;
      wake();
    }
  }

  /** Wakes the worker, so that it looks for work at once. */
  private void wake() {
    if (wakes.getAndIncrement() == 0) {
      executor.execute(this::run);
      return;
    }
    Thread sleeper = pausing;
    if (sleeper != null) {
      LockSupport.unpark(sleeper);
    }
  }

  private void run() {
    try {
      do {
        do {
          workWhileThereIs();
        } while (!wakes.compareAndSet(1, 0));
      } while (isLeftBehind() && wakes.compareAndSet(0, 1));
    } catch (RuntimeException | Error bug) {
      fail(new IOException("store's task failed: " + bug, bug));
      ended();
      throw bug;
    }
  }

  /** Whether there are records of writers that did not wake the worker, as they saw it at work. */
  private boolean isLeftBehind() {
    return pause != null && queue.appended() > handedOver && failure == null && !isEnded;
  }

  private void workWhileThereIs() {
    boolean isMore = true;
    while (isMore) {
      wakes.set(1); // what others want by now is done in this round
      long before = handedOver;
      isMore = work() || (handedOver > before && pause());
    }
  }

  /** Waits for more records, unless the worker was woken; returns whether it is to look again. */
  private boolean pause() {
    if (pause == null || failure != null) {
      return false;
    }
    pausing = Thread.currentThread();
    if (wakes.get() == 1) {
      pause.pause(PAUSE_NANOS);
    }
    pausing = null;
    return true;
  }

  /** Notes what is in the queue, to be taken; returns whether it is the last time. */
  private boolean endQueue() {
    lock.lock();
    try {
      if (isClosing) {
        queue.close();
      }
      takenPosition = queue.end();
      Condition nobody = taken;
      taken = queued;
      queued = nobody;
      tasks.take();
      return isClosing;
    } finally {
      lock.unlock();
    }
  }

  private void take(RecordBuffer records, int from, int to) {
    writer.add(records, from, to);
    long growth = 0;
    for (int at = from; at < to; at = records.behind(at)) {
      growth += records.growth(at);
      long replaced = records.replaced(at);
      if (replaced != 0) {
        replacedVersions.add(records.segment(at), replaced);
      }
    }
    long before = liveBytes;
    liveBytes = before + growth;
  }

  /** Writes what is there; returns whether there is more to do at once. */
  private boolean work() {
    if (isEnded) {
      return false;
    }
    boolean isLast = endQueue();
    queue.take(this::take);
    replacedVersions.liveBytes(liveBytes);
    handedOver = takenPosition;
    writer.fileBytesMax(settings.fileBytes(liveBytes));
    try {
      if (isLast) {
        end();
        return false;
      }
      writer.write();
      if (isForceDue()) {
        isForceTime = false;
        force();
      }
      succeed();
      if (isQueueEmpty()) { // else it comes with the next records
        mark();
      }
      writer.tell(entries); // before the cleaner deletes what was carried
      endTelling();
      queue.forced(forced);
      if (isTickTime) {
        isTickTime = false;
        cleaner.tick();
      }
      boolean isMore = cleaner.step(liveBytes, queue.appended(), forced, this::drop);
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

  /** Writes a mark of what was forced. A disk that refuses this fails at the next record, too. */
  private void mark() {
    try {
      writer.mark();
    } catch (IOException failed) {
      log.log(
          Level.DEBUG, "no mark behind a force, the next write has it: " + writer.path(), failed);
    }
  }

  private boolean isQueueEmpty() {
    return queue.appended() == handedOver;
  }

  /** Finished forces and their time. */
  private record Forces(long count, long millis, long longestMillis) {
    Forces plus(long oneMillis) {
      return new Forces(count + 1, millis + oneMillis, Math.max(longestMillis, oneMillis));
    }
  }

  /** Forces what was written, and takes the time by the clock, which a user may set back. */
  private void force() throws IOException {
    long begunMillis = clock.millis();
    writer.force();
    long millis = Math.max(0, clock.millis() - begunMillis);
    forces = forces.plus(millis);
  }

  /** Wakes those who wait for entries that can be evicted. */
  private void endTelling() {
    told = handedOver;
    if (toldWaiters.get() > 0) {
      lock.lock();
      try {
        toldChanged.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Waits until all was written that was appended before this call, so that the entries were told
   * of it.
   *
   * @return false if there was nothing to wait for, or it is not written in time
   */
  public boolean awaitWritten() {
    long position = queue.appended();
    if (told >= position) {
      return false;
    }
    wake();
    lock.lock();
    try {
      toldWaiters.getAndIncrement();
      long left = TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
      while (told < position && failure == null && !isEnded && left > 0) {
        left = toldChanged.awaitNanos(left);
      }
      return told >= position;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      toldWaiters.getAndDecrement();
      lock.unlock();
    }
  }

  // ---- readers of the log

  /**
   * Returns a reader of the changes behind a place. Blocks for the disk.
   *
   * @param from a token of {@link JournalTail#token}, or null for the oldest change that is kept
   * @throws dev.isogrid.api.ChangesGoneException if the log does not go back to the token
   * @throws InvalidRequestException if the token is not one of this journal
   */
  public JournalTail tail(@Nullable String from) {
    return JournalTail.open(this, disk, scope, from);
  }

  /**
   * Returns a reader of the changes from now on. Blocks until what was appended before is forced.
   *
   * @throws RetryableGridException if the disk fails
   */
  public JournalTail tailFromNow() {
    long position = queue.appended();
    forceSoon();
    String reason = forced >= position ? null : awaitForced(position);
    if (reason != null) {
      throw new RetryableGridException(
          "changes can't be followed, since the store's disk does not answer: cache=%s, reason=%s"
              .formatted(scope.cache(), reason));
    }
    return JournalTail.at(this, disk, scope, writer.forcedPlace());
  }

  /**
   * Returns a reader of all records of segments from a place on, those that are no changes, too.
   *
   * @param from a place that {@link JournalTail#place} returned, {@link #forcedPlace}, or the begin
   *     of a file; reading throws {@link dev.isogrid.api.ChangesGoneException} if its file is gone
   */
  public JournalTail wholeTail(JournalPlace from) {
    return JournalTail.whole(this, disk, scope, from);
  }

  /** Returns the number of the oldest file that is kept. Blocks for the disk. */
  public long oldestFile() {
    return JournalTail.oldest(disk, scope);
  }

  /** Returns the number of the first file that this process wrote. */
  public long begunFile() {
    return begunFile;
  }

  /** Identifies the journal; another one of the same cache has another identity. */
  public UUID identity() {
    return writer.identity();
  }

  /** The place up to which the log was forced. Any thread. */
  public JournalPlace forcedPlace() {
    return writer.forcedPlace();
  }

  /**
   * Waits until the log was forced beyond a place, for some time at most. Has it forced each
   * second, if nothing else does.
   *
   * @return how much of the time is left, 0 if it was not
   */
  public long awaitBeyond(JournalPlace place, long nanos) throws InterruptedException {
    long left = nanos;
    while (left > 0) {
      if (queue.appended() > forced && settings.fsync() == Fsync.NONE) {
        forceSoon();
      }
      lock.lock();
      try {
        if (writer.forcedPlace().isBeyond(place)) {
          return left;
        }
        if (isEnded) {
          return 0;
        }
        long step = Math.min(left, TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS));
        left -= step - Math.max(0, changed.awaitNanos(step));
      } finally {
        lock.unlock();
      }
    }
    return 0;
  }

  private long drop() {
    byte[] record = JournalLayout.drop(writer.complete().getFirst().number());
    return checked(queue.append(record, 0, 0));
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
    List<Runnable> done;
    lock.lock();
    try {
      forced = reached;
      failure = null;
      changed.signalAll();
      taken.signalAll();
      if (!isForcedEach()) { // others have records forced later than they are taken
        queued.signalAll();
      }
      done = reached == takenPosition ? tasks.removeTaken() : List.of();
    } finally {
      lock.unlock();
    }
    done.forEach(Runnable::run);
    Runnable listener = forceListener;
    if (listener != null) {
      listener.run();
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
    List<Runnable> undone;
    lock.lock();
    try {
      isNew = failure == null;
      failure = failed;
      signalAll();
      undone = tasks.removeAll();
    } finally {
      lock.unlock();
    }
    undone.forEach(Runnable::run);
    if (isNew) {
      log.log(
          Level.ERROR,
          ("store's disk fails, writes are refused: cache=%s, file=%s, bytes in memory only=%d,"
                  + " reason=%s; make room on it or mend it while the process runs, so that nothing"
                  + " is lost")
              .formatted(scope.cache(), writer.path(), queue.appended() - forced, failed));
    }
  }

  /** Wakes all who wait for anything. Locked. */
  private void signalAll() {
    changed.signalAll();
    queued.signalAll();
    taken.signalAll();
    toldChanged.signalAll();
  }

  /** Returns what was done and what there is. */
  public JournalStats stats() {
    Forces done = forces;
    return new JournalStats(
        queue.appended(),
        forced,
        carriedBytes,
        fileBytes,
        liveBytes,
        done.count(),
        done.millis(),
        done.longestMillis());
  }

  /** Returns the figures, the file that is written, and why writes are refused. Does not block. */
  public JournalState state() {
    return new JournalState(stats(), writer.path(), trouble(), cleaner.trouble());
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
    if (queue.appended() > forced) {
      log.log(
          Level.ERROR,
          "store closed before all was on the disk: cache=%s, file=%s, lost bytes=%d, reason=%s"
              .formatted(scope.cache(), writer.path(), queue.appended() - forced, failure));
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
    queue.close();
    try {
      disk.close();
    } catch (IOException failed) {
      log.log(Level.WARNING, "store's folder can't be unlocked: " + disk.path(""), failed);
    }
    List<Runnable> rest;
    lock.lock();
    try {
      isEnded = true;
      signalAll();
      rest = tasks.removeAll();
    } finally {
      lock.unlock();
    }
    rest.forEach(Runnable::run);
  }
}
