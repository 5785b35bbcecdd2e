package dev.isogrid.server.security;

import dev.isogrid.base.Scheduler;

/** Runs each task at once in the calling thread. */
final class SameThreadScheduler implements Scheduler {
  @Override
  public Task every(long periodMillis, Runnable task) {
    return () -> {};
  }

  @Override
  public void execute(Runnable task) {
    task.run();
  }

  @Override
  public void close() {}
}
