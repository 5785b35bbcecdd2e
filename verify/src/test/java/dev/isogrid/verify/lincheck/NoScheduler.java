package dev.isogrid.verify.lincheck;

import dev.isogrid.base.Scheduler;

/** For caches that need none: it refuses all tasks. */
final class NoScheduler implements Scheduler {
  @Override
  public Task every(long periodMillis, Runnable task) {
    throw new UnsupportedOperationException("every");
  }

  @Override
  public void execute(Runnable task) {
    throw new UnsupportedOperationException("execute");
  }

  @Override
  public void close() {}
}
