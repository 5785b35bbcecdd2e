package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Brings a thread to where it waits for another. */
final class WaitingThread {
  private static final long DEADLINE_SECONDS = 120;

  private WaitingThread() {}

  /** Begins a task elsewhere and returns when its thread waits. */
  static Future<?> begin(ExecutorService threads, Runnable task) {
    AtomicReference<@Nullable Thread> runner = new AtomicReference<>();
    Future<?> running =
        threads.submit(() -> {
          runner.set(Thread.currentThread());
          task.run();
        });
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (!isWaiting(runner.get())) {
      assertTrue(System.nanoTime() < deadline, "the task neither waits nor ends");
      assertFalse(running.isDone(), "the task did not wait");
      Thread.onSpinWait();
    }
    return running;
  }

  private static boolean isWaiting(@Nullable Thread thread) {
    return thread != null && thread.getState() == Thread.State.WAITING;
  }
}
