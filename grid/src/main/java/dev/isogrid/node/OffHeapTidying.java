package dev.isogrid.node;

import dev.isogrid.base.Scheduler;
import dev.isogrid.store.PagePool;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Gives off-heap memory that caches don't need any more back to the operating system: moves pages
 * together where much is free but in pieces, and lets the C library trim what it keeps of freed
 * regions. Thread-safe.
 */
final class OffHeapTidying {
  /*
   * Freed regions are not always the system's at once. Glibc maps large blocks one by one and
   * unmaps them when they are freed, but takes each freed one, up to 32 MB, as a sign that smaller
   * ones are better cut from its heap, which only shrinks at its end. One freed value of 5 MB, or a
   * buffer of another library, makes it keep all regions that are made from then on. So the JVM is
   * asked to trim that heap once enough was freed. It does so by a diagnostic command; elsewhere
   * than on Linux there is none, and no need.
   */

  private static final Logger log = System.getLogger(OffHeapTidying.class.getName());

  private static final long PERIOD_MILLIS = 1000;

  /** A trim costs the process about 100 ms for the first look at its MBeans. */
  private static final long TRIM_BYTES_MIN = 8 << 20;

  private static final int TRIM_FRACTION = 32;

  private final PagePool pool;
  private final Scheduler scheduler;
  private final Runnable vacate;
  private final AtomicBoolean begun = new AtomicBoolean();
  private final AtomicBoolean busy = new AtomicBoolean();

  /** Bytes given back since the last trim. Guarded by {@link #busy}. */
  private long returnedBytes;

  /**
   * Does nothing yet.
   *
   * @param vacate moves what all caches have in vacated regions
   */
  OffHeapTidying(PagePool pool, Scheduler scheduler, Runnable vacate) {
    this.pool = pool;
    this.scheduler = scheduler;
    this.vacate = vacate;
  }

  /** Begins, unless it has already. Ends with the scheduler. */
  void begin() {
    if (begun.compareAndSet(false, true)) {
      scheduler.every(PERIOD_MILLIS, this::look);
    }
  }

  private void look() {
    if (busy.compareAndSet(false, true)) {
      returnedBytes += pool.takeReturnedBytes();
      if (!pool.isScattered() && !isTrimDue()) {
        busy.set(false);
        return;
      }
      try {
        scheduler.execute(this::tidy);
      } catch (RejectedExecutionException closed) {
        busy.set(false);
      }
    }
  }

  private boolean isTrimDue() {
    return returnedBytes >= Math.max(TRIM_BYTES_MIN, pool.use().reservedBytes() / TRIM_FRACTION);
  }

  private void tidy() {
    try {
      while (pool.beginVacating()) {
        try {
          vacate.run();
        } finally {
          pool.endVacating();
        }
      }
      returnedBytes += pool.takeReturnedBytes();
      if (isTrimDue()) {
        returnedBytes = 0;
        trim();
      }
    } finally {
      busy.set(false);
    }
  }

  private static void trim() {
    try {
      ManagementFactory.getPlatformMBeanServer()
          .invoke(
              new ObjectName("com.sun.management:type=DiagnosticCommand"),
              "systemTrimNativeHeap",
              new Object[0],
              new String[0]);
    } catch (JMException notThere) {
      log.log(Level.DEBUG, "the native heap is not trimmed", notThere);
    }
  }
}
