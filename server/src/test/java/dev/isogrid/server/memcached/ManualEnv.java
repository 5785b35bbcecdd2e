package dev.isogrid.server.memcached;

import dev.isogrid.base.Env;
import dev.isogrid.base.Scheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * A world whose time passes only on a test's command. Tasks for other threads run at once, unless
 * the test runs them.
 */
class ManualEnv implements Scheduler {
  private long nowMillis = 1_800_000_000_000L;
  private final List<Periodic> tasks = new ArrayList<>();

  /** The tasks for other threads, if they do not run at once. */
  final Deque<Runnable> aside = new ArrayDeque<>();

  boolean runsAsideAtOnce = true;

  private static final class Periodic implements Task {
    private final long periodMillis;
    private final Runnable task;
    private long dueMillis;
    private boolean closed;

    Periodic(long periodMillis, Runnable task, long nowMillis) {
      this.periodMillis = periodMillis;
      this.task = task;
      this.dueMillis = nowMillis + periodMillis;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  Env env() {
    return new Env(
        () -> TimeUnit.MILLISECONDS.toNanos(nowMillis),
        () -> nowMillis,
        new SplittableRandom(1),
        this);
  }

  long nowMillis() {
    return nowMillis;
  }

  /** Advances the time, and runs the tasks that are due at the end. */
  void advance(long millis) {
    nowMillis += millis;
    for (Periodic periodic : List.copyOf(tasks)) {
      if (!periodic.closed && periodic.dueMillis <= nowMillis) {
        periodic.task.run();
        periodic.dueMillis = nowMillis + periodic.periodMillis;
      }
    }
    tasks.removeIf(periodic -> periodic.closed);
  }

  /** The number of periodic tasks that are not closed. */
  long openTasks() {
    return tasks.stream().filter(periodic -> !periodic.closed).count();
  }

  @Override
  public Task every(long periodMillis, Runnable task) {
    if (periodMillis < 1) {
      throw new IllegalArgumentException("periodMillis=" + periodMillis);
    }
    Periodic periodic = new Periodic(periodMillis, task, nowMillis);
    tasks.add(periodic);
    return periodic;
  }

  @Override
  public void execute(Runnable task) {
    if (runsAsideAtOnce) {
      task.run();
    } else {
      aside.add(task);
    }
  }

  @Override
  public void close() {
    tasks.clear();
  }
}
