package dev.isogrid.verify.fuzz;

import dev.isogrid.base.Scheduler;

/** Runs tasks in the thread that asks for it, and nothing later. */
public final class AtOnceScheduler implements Scheduler {
  /** Has no state. */
  public AtOnceScheduler() {}

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
