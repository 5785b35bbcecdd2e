package dev.isogrid.verify.lincheck;

import dev.isogrid.base.Scheduler;

/** For caches that need none: no periodic task ever runs, and all others are refused. */
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
