package dev.isogrid.server.memcached;

import dev.isogrid.base.Scheduler;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The one flush that may be due later: each {@code flush_all} replaces the previous one.
 * Thread-safe; nothing blocks.
 */
final class FlushTimer {
  private final Scheduler scheduler;
  private final Runnable flush;
  private final AtomicReference<@Nullable Pending> pending = new AtomicReference<>();

  /**
   * Makes a timer with nothing pending.
   *
   * @param flush the operation; runs on a thread that may block
   */
  FlushTimer(Scheduler scheduler, Runnable flush) {
    this.scheduler = scheduler;
    this.flush = flush;
  }

  /** Cancels the pending flush, if there is one. */
  void cancel() {
    replace(null);
  }

  /**
   * Flushes later, replacing a pending flush.
   *
   * @param delayMillis 1 or more
   */
  void flushAfter(long delayMillis) {
    Pending next = new Pending();
    replace(next);
    next.start(delayMillis);
  }

  private void replace(@Nullable Pending next) {
    Pending before = pending.getAndSet(next);
    if (before != null) {
      before.stop();
    }
  }

  /** A flush that is due once. */
  private final class Pending implements Runnable {
    /** Written by {@link #start}; null before. */
    private volatile Scheduler.@Nullable Task task;

    void start(long delayMillis) {
      task = scheduler.every(delayMillis, this);
      if (pending.get() != this) {
        stop(); // replaced, or run, before the task was known
      }
    }

    @Override
    public void run() {
      if (pending.compareAndSet(this, null)) {
        scheduler.execute(flush);
      }
      stop();
    }

    void stop() {
      Scheduler.Task known = task;
      if (known != null) {
        known.close();
      }
    }
  }
}
