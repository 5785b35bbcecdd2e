package dev.isogrid.verify.lincheck;

import dev.isogrid.base.Scheduler;

/** A scheduler for caches that need none: it ignores periodic tasks and refuses all others. */
final class NoScheduler implements Scheduler {
  @Override
  public Task every(long periodMillis, Runnable task) {
    return () -> {};
  }

  @Override
  public void execute(Runnable task) {
    throw new UnsupportedOperationException("execute");
  }

  @Override
  public void close() {}
}
