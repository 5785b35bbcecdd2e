package dev.isogrid.server.security;

import dev.isogrid.base.Scheduler;

/** Runs tasks in the thread that asks for it, and nothing later. */
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
