package dev.isogrid.engine;

import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.base.Env;
import dev.isogrid.store.BinaryKey;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The invalidations of a cache that nobody waits for, in their order. What could not be told is
 * told again, as long as the node lives. Thread-safe.
 */
final class InvalidationQueue {
  private static final System.Logger log = System.getLogger(InvalidationQueue.class.getName());

  /** Keys that may wait; a writer with more waits until some were told. */
  private static final int KEYS_MAX = 65_536;

  /** The pauses after failures: the first one, doubled up to the last one. */
  private static final long PAUSE_NANOS_MIN = 10_000_000;

  private static final long PAUSE_NANOS_MAX = 1_000_000_000;

  /**
   * What waits.
   *
   * @param key null for all entries of the cache
   */
  private record Item(@Nullable BinaryKey key) {}

  private final String cache;
  private final Invalidations invalidations;
  private final Env env;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition hasRoom = lock.newCondition();

  /** Guarded by the lock. */
  private final ArrayDeque<Item> waiting = new ArrayDeque<>();

  /** Whether there is a thread that tells. Guarded by the lock. */
  private boolean isTelling;

  /** Guarded by the lock. */
  private boolean isClosed;

  InvalidationQueue(String cache, Invalidations invalidations, Env env) {
    this.cache = cache;
    this.invalidations = invalidations;
    this.env = env;
  }

  /**
   * Has the others told of an entry, or of all, some time. Blocks while too much waits.
   *
   * @param key null for all
   * @throws IndeterminateGridException if there is no room in time
   */
  void add(@Nullable BinaryKey key) {
    long restNanos = TimeUnit.MILLISECONDS.toNanos(invalidations.timeoutMillis());
    lock.lock();
    try {
      while (waiting.size() >= KEYS_MAX && !isClosed) {
        restNanos = env.nanoClock().await(hasRoom, restNanos);
        if (restNanos <= 0) {
          throw tooMany();
        }
      }
      waiting.add(new Item(key));
      begin();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw tooMany();
    } finally {
      lock.unlock();
    }
  }

  private IndeterminateGridException tooMany() {
    return new IndeterminateGridException(
        ("written here, but other nodes will not be told: cache=%s, waiting=%d keys, max=%d; write"
                + " or remove it again, later")
            .formatted(cache, waiting.size(), KEYS_MAX));
  }

  private void begin() {
    if (isTelling || isClosed) {
      return;
    }
    try {
      env.scheduler().execute(this::tellAll);
      isTelling = true;
    } catch (RejectedExecutionException closing) {
      isClosed = true; // the node ends, and its entries with it
    }
  }

  private void tellAll() {
    boolean isDone = false;
    try {
      long pauseNanos = 0;
      for (List<Item> batch = next(); !batch.isEmpty(); batch = next()) {
        if (tryTell(batch, pauseNanos == 0)) {
          pauseNanos = 0;
        } else {
          pauseNanos = Math.clamp(2 * pauseNanos, PAUSE_NANOS_MIN, PAUSE_NANOS_MAX);
          env.nanoClock().pause(pauseNanos);
        }
      }
      isDone = true;
    } finally {
      if (!isDone) {
        stopTelling();
      }
    }
  }

  /**
   * Tells the others of some.
   *
   * @param isLogged whether a failure is
   */
  private boolean tryTell(List<Item> batch, boolean isLogged) {
    try {
      invalidations.tell(cache, keys(batch));
      told(batch.size());
      return true;
    } catch (RuntimeException failure) {
      if (invalidations.isClosed()) {
        close();
      } else if (isLogged) {
        log.log(Level.WARNING, "other nodes are not told yet of changes: cache=" + cache, failure);
      }
      return false;
    }
  }

  /** The thread that tells ends by an Error: the next change begins another one. */
  private void stopTelling() {
    lock.lock();
    try {
      isTelling = false;
    } finally {
      lock.unlock();
    }
  }

  private static @Nullable List<BinaryKey> keys(List<Item> batch) {
    List<BinaryKey> keys = new ArrayList<>(batch.size());
    for (Item item : batch) {
      BinaryKey key = item.key();
      if (key == null) {
        return null;
      }
      keys.add(key);
    }
    return keys;
  }

  /** What is told next, which stays in the queue; empty if nothing waits. */
  private List<Item> next() {
    lock.lock();
    try {
      List<Item> batch = new ArrayList<>();
      long bytes = 0;
      for (Item item : waiting) {
        BinaryKey key = item.key();
        boolean isFull =
            batch.size() >= InvalidatingEngine.BATCH_KEYS
                || bytes >= InvalidatingEngine.BATCH_BYTES;
        if (isClosed || isFull || (key == null && !batch.isEmpty())) {
          break;
        }
        batch.add(item);
        if (key == null) {
          break;
        }
        bytes += key.length();
      }
      isTelling = !batch.isEmpty();
      return batch;
    } finally {
      lock.unlock();
    }
  }

  private void told(int count) {
    lock.lock();
    try {
      for (int i = 0; i < count; i++) {
        waiting.remove();
      }
      hasRoom.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until the others were told of all that waits, or will not be any more.
   *
   * @return how many keys still wait, those included that come meanwhile
   */
  int awaitTold(long timeoutNanos) throws InterruptedException {
    long restNanos = timeoutNanos;
    lock.lock();
    try {
      while (!waiting.isEmpty() && !isClosed && restNanos > 0) {
        restNanos = env.nanoClock().await(hasRoom, restNanos);
      }
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  /** Tells nobody any more. Calling it twice is harmless. */
  void close() {
    lock.lock();
    try {
      isClosed = true;
      hasRoom.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
