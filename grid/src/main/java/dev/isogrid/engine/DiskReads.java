package dev.isogrid.engine;

import dev.isogrid.api.GridException;
import dev.isogrid.base.Scheduler;
import java.lang.System.Logger.Level;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Reads what the thread that drives a node needs of disks, on other threads, and goes on under the
 * driver's lock. Thread-safe where nothing else is said.
 */
public final class DiskReads {
  private static final System.Logger log = System.getLogger(DiskReads.class.getName());

  /** Readings that may be under way: more would only wait for each other at the disk. */
  private static final int UNDER_WAY_MAX = 256;

  /** The first failures are logged, and then each so many. */
  private static final int LOGGED_EACH = 1000;

  private final Scheduler scheduler;
  private final Consumer<LongConsumer> steps;
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicLong failures = new AtomicLong();

  /** The caches that may have entries on a disk only. Guarded by the driver's lock. */
  private int caches;

  /** Goes on when a reading is over. */
  @FunctionalInterface
  public interface Continuation {
    /**
     * Called under the driver's lock.
     *
     * @param isRead whether the reading was done; else the disk refused it
     * @param nowNanos the driver's time
     */
    void run(boolean isRead, long nowNanos);
  }

  /**
   * Reads nothing yet.
   *
   * @param scheduler runs the readings
   * @param steps runs a task under the driver's lock, with its time; not at all if it is closed
   */
  DiskReads(Scheduler scheduler, Consumer<LongConsumer> steps) {
    this.scheduler = scheduler;
    this.steps = steps;
  }

  /** A cache began, or ended, whose entries may be on the disk only. Under the driver's lock. */
  void count(int change) {
    caches += change;
  }

  /** Whether any cache of the node may have entries on the disk only. Under the driver's lock. */
  boolean areNeeded() {
    return caches > 0;
  }

  /**
   * Begins a reading. Does not block.
   *
   * @param reading may block, and fail with a {@link GridException}
   * @return false if too many are under way, or the node ends; nothing is called then
   */
  boolean tryBegin(Runnable reading, Continuation then) {
    if (underWay.incrementAndGet() > UNDER_WAY_MAX) {
      underWay.decrementAndGet();
      return false;
    }
    try {
      scheduler.execute(() -> read(reading, then));
      return true;
    } catch (RejectedExecutionException closing) {
      underWay.decrementAndGet();
      return false;
    }
  }

  private void read(Runnable reading, Continuation then) {
    boolean isRead = false;
    try {
      reading.run();
      isRead = true;
    } catch (GridException failure) {
      if (failures.getAndIncrement() % LOGGED_EACH == 0) {
        log.log(Level.WARNING, "entries can't be read from a store; it is tried again", failure);
      }
    } finally {
      underWay.decrementAndGet();
      boolean wasRead = isRead;
      steps.accept(nowNanos -> then.run(wasRead, nowNanos));
    }
  }
}
