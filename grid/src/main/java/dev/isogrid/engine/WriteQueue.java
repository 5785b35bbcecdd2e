package dev.isogrid.engine;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.WriteBehind;
import dev.isogrid.base.NanoClock;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The changes of a cache that its store does not have yet. Thread-safe. */
final class WriteQueue {
  /*
   * One task at a time takes changes from the front and has the store make them. A change of a key
   * that waits already takes its place, so that the store gets the last one only; a change of a key
   * that is under way waits for the next batch. So the store gets the changes of a key in order.
   *
   * A batch that fails is repeated until the cache is closed, since what it has would be lost
   * otherwise: writers wait for room, and are refused in the end. But one change that the store
   * never takes must not stop all others. After some failures the changes are made one by one. One
   * that fails goes to the end of the queue, and is dropped if it fails before and after another
   * one succeeded. If the first ones fail, the store is taken for gone and not asked for each.
   */
  private static final System.Logger log = System.getLogger(WriteQueue.class.getName());

  /** The first pause after a failure; each further one is twice as long. */
  private static final long PAUSE_MILLIS = 100;

  /** The longest pause: a store that is back is used again within that time. */
  private static final long PAUSE_MILLIS_MAX = 30_000;

  /** Failures of a batch after which its changes are made one by one. */
  private static final int TOGETHER_MAX = 3;

  /** Changes that are made one by one before the store is taken for gone. */
  private static final int PROBES_MAX = 2;

  /** How long the end of a cache waits for its store; a node's end should not take longer. */
  private static final long END_SECONDS = 10;

  /** The part of the heap that keys and values may take: 20 MiB of 160. */
  private static final int HEAP_FRACTION = 8;

  private final String cache;
  private final WriteBehind limits;
  private final long bytesMax;
  private final StoreCalls calls;
  private final Executor executor;
  private final NanoClock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private final Map<Object, StoreChange> waiting = new LinkedHashMap<>();
  private final Map<Object, StoreChange> underWay = new HashMap<>();

  /** The bytes of the changes that wait and of those that are under way. */
  private long bytes;

  private boolean isRunning;
  private boolean isClosed;
  private boolean isGivenUp;

  /** Whether no further batch is taken. */
  private boolean isHeld;

  private @Nullable String trouble;

  // Of the task, which one thread at a time runs.
  private long successes;
  private int failuresInARow;

  /** Changes that failed alone, by their keys, with the successes that there were before. */
  private final Map<Object, Long> suspects = new HashMap<>();

  WriteQueue(
      String cache, WriteBehind limits, StoreCalls calls, Executor executor, NanoClock clock) {
    this(cache, limits, Runtime.getRuntime().maxMemory() / HEAP_FRACTION, calls, executor, clock);
  }

  // tidy: what a queue is made of
  WriteQueue(
      String cache,
      WriteBehind limits,
      long bytesMax,
      StoreCalls calls,
      Executor executor,
      NanoClock clock) {
    this.cache = cache;
    this.limits = limits;
    this.bytesMax = bytesMax;
    this.calls = calls;
    this.executor = executor;
    this.clock = clock;
  }

  /** The number of keys that wait for the store. */
  int size() {
    lock.lock();
    try {
      return waiting.size() + underWay.size();
    } finally {
      lock.unlock();
    }
  }

  /** The change of a key that the store does not have yet; null for none. */
  @Nullable StoreChange of(Object identity) {
    lock.lock();
    try {
      StoreChange last = waiting.get(identity);
      return last == null ? underWay.get(identity) : last;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Adds a change. Waits while there is no room.
   *
   * @throws RetryableGridException if there is none in time; nothing was added then
   */
  void add(StoreChange change) {
    lock.lock();
    try {
      awaitUntil(limits.timeoutMillis(), () -> isClosed || hasRoom(change));
      if (isClosed || !hasRoom(change)) {
        throw refusal();
      }
      StoreChange before = waiting.put(change.identity(), change);
      bytes += change.bytes() - (before == null ? 0 : before.bytes());
      begin();
    } finally {
      lock.unlock();
    }
  }

  /** Lets the task run if there is something to do. Locked. */
  private void begin() {
    if (!isRunning && !waiting.isEmpty()) {
      isRunning = true;
      executor.execute(this::run);
    }
  }

  /** Whether a change can wait; one of any size if nothing else does. Locked. */
  private boolean hasRoom(StoreChange change) {
    StoreChange before = waiting.get(change.identity());
    long others = bytes - (before == null ? 0 : before.bytes());
    boolean isTooLarge = others > 0 && others + change.bytes() > bytesMax;
    return !isTooLarge && (before != null || waiting.size() + underWay.size() < limits.queueMax());
  }

  private RetryableGridException refusal() {
    return new RetryableGridException(
        ("no room among the changes that wait for a store: cache=%s, store=%s, waiting=%d,"
                + " limit=%d, waited=%d ms, bytes=%d, bytes limit=%d, trouble=%s; try again when"
                + " the store has taken some, or raise modification-queue-size or -Xmx")
            .formatted(
                cache,
                calls.what(),
                waiting.size() + underWay.size(),
                limits.queueMax(),
                limits.timeoutMillis(),
                bytes,
                bytesMax,
                isClosed ? "the cache is closed" : trouble == null ? "none" : trouble));
  }

  /** Something that is waited for. */
  private interface Awaited {
    boolean holds();
  }

  /** Waits until something holds, or time is over. Locked. */
  private void awaitUntil(long timeoutMillis, Awaited awaited) {
    long left = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    try {
      while (left > 0 && !awaited.holds()) {
        left = clock.await(changed, left);
      }
    } catch (InterruptedException interruption) {
      Thread.currentThread().interrupt();
      throw new RetryableGridException(
          "interrupted while waiting for a store: cache=%s, store=%s; try again"
              .formatted(cache, calls.what()),
          interruption);
    }
  }

  private void run() {
    for (List<StoreChange> batch = next(); !batch.isEmpty(); batch = next()) {
      store(batch);
    }
  }

  /** Ends the batch under way and takes the next one; an empty one ends the task. */
  private List<StoreChange> next() {
    lock.lock();
    try {
      underWay.values().forEach(done -> bytes -= done.bytes());
      underWay.clear();
      List<StoreChange> batch = new ArrayList<>();
      Iterator<StoreChange> from = waiting.values().iterator();
      while (from.hasNext() && batch.size() < limits.batchMax() && !isGivenUp && !isHeld) {
        StoreChange change = from.next();
        batch.add(change);
        underWay.put(change.identity(), change);
        from.remove();
      }
      isRunning = !batch.isEmpty();
      changed.signalAll();
      return batch;
    } finally {
      lock.unlock();
    }
  }

  private void store(List<StoreChange> batch) {
    if (tryChange(batch)) {
      batch.forEach(change -> suspects.remove(change.identity()));
    } else if (failuresInARow < TOGETHER_MAX) {
      giveBack(batch, List.of());
      pause();
    } else {
      storeOneByOne(batch);
    }
  }

  /** Finds out whether the store takes nothing, or only some changes not. */
  private void storeOneByOne(List<StoreChange> batch) {
    List<StoreChange> failed = new ArrayList<>();
    boolean takesAny = false;
    int tried = 0;
    while (tried < batch.size() && (takesAny || failed.size() < PROBES_MAX)) {
      StoreChange change = batch.get(tried++);
      if (tryChange(List.of(change))) {
        takesAny = true;
        suspects.remove(change.identity());
      } else {
        failed.add(change);
        suspects.putIfAbsent(change.identity(), successes);
      }
    }
    failed.removeIf(this::isHopeless);
    giveBack(batch.subList(tried, batch.size()), failed);
    if (!takesAny) {
      pause();
    }
  }

  /** Tries a change again if the store took others since it failed; drops it if it fails again. */
  private boolean isHopeless(StoreChange change) {
    Long then = suspects.get(change.identity());
    if (then == null || successes == then) {
      return false;
    }
    suspects.remove(change.identity());
    if (!tryChange(List.of(change))) {
      calls.countDropped(1);
      log.log(
          Level.ERROR,
          "change dropped that the store does not take: cache=%s, store=%s, reason=%s; write the"
                  .formatted(cache, calls.what(), trouble())
              + " entry again");
    }
    return true;
  }

  /** Lets changes wait again, unless newer ones of their keys do. */
  private void giveBack(List<StoreChange> first, List<StoreChange> last) {
    lock.lock();
    try {
      Map<Object, StoreChange> rest = new LinkedHashMap<>(waiting);
      waiting.clear();
      first.forEach(change -> waiting.put(change.identity(), change));
      waiting.putAll(rest);
      last.forEach(change -> waiting.putIfAbsent(change.identity(), change));
      underWay.clear();
      bytes = waiting.values().stream().mapToLong(StoreChange::bytes).sum();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private boolean tryChange(List<StoreChange> changes) {
    try {
      calls.change(changes);
      successes++;
      failuresInARow = 0;
      told(null);
      return true;
    } catch (RuntimeException failure) {
      failuresInARow++;
      told(String.valueOf(failure.getMessage()));
      return false;
    }
  }

  private @Nullable String trouble() {
    lock.lock();
    try {
      return trouble;
    } finally {
      lock.unlock();
    }
  }

  private void told(@Nullable String reason) {
    lock.lock();
    try {
      if (reason != null && trouble == null) {
        log.log(
            Level.WARNING, "changes wait for their store: cache={0}, reason={1}", cache, reason);
      }
      trouble = reason;
    } finally {
      lock.unlock();
    }
  }

  /** Pauses after a failure, shorter if the end of the cache waits. */
  private void pause() {
    int doublings = Math.clamp(failuresInARow - 1, 0, 20);
    long millis = Math.min(PAUSE_MILLIS_MAX, PAUSE_MILLIS << doublings);
    lock.lock();
    try {
      awaitUntil(millis, () -> isClosed);
      awaitUntil(PAUSE_MILLIS, () -> isGivenUp || !isClosed);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Clears the store, and forgets all changes if that succeeds. Not while changes are added.
   *
   * @param clearing clears the store
   * @throws RetryableGridException if the store is busy for too long
   */
  void clear(Runnable clearing) {
    List<StoreChange> taken = takeAll();
    boolean isDone = false;
    try {
      clearing.run();
      isDone = true;
    } finally {
      if (!isDone) {
        taken.forEach(this::add);
      }
    }
  }

  private List<StoreChange> takeAll() {
    lock.lock();
    try {
      isHeld = true;
      awaitUntil(limits.timeoutMillis(), underWay::isEmpty);
      if (!underWay.isEmpty()) {
        throw new RetryableGridException(
            ("cache not cleared, since its store is busy: cache=%s, store=%s, waited=%d ms,"
                    + " trouble=%s; try again")
                .formatted(
                    cache,
                    calls.what(),
                    limits.timeoutMillis(),
                    trouble == null ? "none" : trouble));
      }
      List<StoreChange> taken = List.copyOf(waiting.values());
      waiting.clear();
      bytes = 0;
      return taken;
    } finally {
      isHeld = false;
      begin();
      lock.unlock();
    }
  }

  /** Takes nothing more, and waits for the store for some seconds. Closing twice is harmless. */
  void close() {
    lock.lock();
    try {
      if (isGivenUp) {
        return;
      }
      isClosed = true;
      changed.signalAll();
      awaitUntil(
          TimeUnit.SECONDS.toMillis(END_SECONDS), () -> waiting.isEmpty() && underWay.isEmpty());
      int lost = waiting.size() + underWay.size();
      if (lost > 0) {
        log.log(
            Level.ERROR,
            "changes lost that the store did not take before the end: cache=%s, store=%s, keys=%d,"
                    .formatted(cache, calls.what(), lost)
                + " waited=%d s, reason=%s".formatted(END_SECONDS, trouble));
      }
      isGivenUp = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
