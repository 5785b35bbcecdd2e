package dev.isogrid.base;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An environment in which nothing happens by itself: time moves and tasks run on a test's command,
 * in the test's thread. Any thread may read the clock.
 */
public final class FakeEnv {
  /** 2026-06-01, so that epochs are greater than the smallest one. */
  public static final long START_MILLIS = 1_780_272_000_000L;

  private final AtomicLong nowMillis;
  private final FakeScheduler scheduler = new FakeScheduler();

  /** An environment at {@link #START_MILLIS}. */
  public FakeEnv() {
    this(START_MILLIS);
  }

  /** An environment at another time. */
  public FakeEnv(long startMillis) {
    nowMillis = new AtomicLong(startMillis);
  }

  /** The environment for the code under test. */
  public Env env() {
    return new Env(
        () -> nowMillis.get() * 1_000_000, nowMillis::get, new SplittableRandom(1), scheduler);
  }

  /** The time. */
  public long nowMillis() {
    return nowMillis.get();
  }

  /** Moves the time, back if negative, without running anything. */
  public void moveClock(long millis) {
    nowMillis.addAndGet(millis);
  }

  /** Advances the time, and runs due tasks at their times. */
  public void advance(long millis) {
    long end = nowMillis.get() + millis;
    Periodic due = scheduler.earliest(end);
    while (due != null) {
      nowMillis.set(due.dueMillis);
      due.dueMillis += due.periodMillis;
      due.task.run();
      due = scheduler.earliest(end);
    }
    nowMillis.set(end);
  }

  /** Runs the queued tasks, and those that they queue; returns their number. */
  public int runTasks() {
    int count = 0;
    for (Runnable task = scheduler.poll(); task != null; task = scheduler.poll()) {
      task.run();
      count++;
    }
    return count;
  }

  /** The number of open periodic tasks. */
  public int periodicTasks() {
    return scheduler.periodicTasks();
  }

  /** Whether the scheduler was closed. */
  public boolean isSchedulerClosed() {
    return scheduler.isClosed();
  }

  /** Written by the test's thread only. */
  private static final class Periodic {
    private final long periodMillis;
    private final Runnable task;
    private long dueMillis;

    Periodic(long periodMillis, Runnable task, long dueMillis) {
      this.periodMillis = periodMillis;
      this.task = task;
      this.dueMillis = dueMillis;
    }
  }

  private final class FakeScheduler implements Scheduler {
    private final List<Periodic> periodic = new ArrayList<>();
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private boolean closed;

    @Override
    public synchronized Task every(long periodMillis, Runnable task) {
      checkOpen();
      Periodic added = new Periodic(periodMillis, task, nowMillis.get() + periodMillis);
      periodic.add(added);
      return () -> cancel(added);
    }

    private synchronized void cancel(Periodic task) {
      periodic.remove(task);
    }

    @Override
    public synchronized void execute(Runnable task) {
      checkOpen();
      tasks.add(task);
    }

    private void checkOpen() {
      if (closed) {
        throw new RejectedExecutionException("the scheduler is closed");
      }
    }

    @Override
    public synchronized void close() {
      closed = true;
      periodic.clear();
    }

    synchronized boolean isClosed() {
      return closed;
    }

    synchronized int periodicTasks() {
      return periodic.size();
    }

    synchronized @Nullable Runnable poll() {
      return tasks.poll();
    }

    synchronized @Nullable Periodic earliest(long endMillis) {
      Periodic earliest = null;
      for (Periodic each : periodic) {
        boolean due = each.dueMillis <= endMillis;
        if (due && (earliest == null || each.dueMillis < earliest.dueMillis)) {
          earliest = each;
        }
      }
      return earliest;
    }
  }
}
