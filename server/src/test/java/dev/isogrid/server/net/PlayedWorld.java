package dev.isogrid.server.net;

import dev.isogrid.base.Env;
import dev.isogrid.base.Scheduler;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** A world whose time passes, and whose tasks run, on a test's command and in its thread. */
final class PlayedWorld implements Scheduler {
  private final List<Runnable> periodic = new CopyOnWriteArrayList<>();
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicLong nowMillis = new AtomicLong(1_800_000_000_000L);

  Env env() {
    return new Env(
        () -> nowMillis.get() * 1_000_000, nowMillis::get, new SplittableRandom(1), this);
  }

  /**
   * Advances the time by single seconds; periodic tasks run each second, and then those that are
   * due.
   */
  void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      nowMillis.addAndGet(1000);
      periodic.forEach(Runnable::run);
      for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
        task.run();
      }
    }
  }

  @Override
  public Task every(long periodMillis, Runnable task) {
    periodic.add(task);
    return () -> periodic.remove(task);
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  @Override
  public void close() {
    periodic.clear();
  }
}
