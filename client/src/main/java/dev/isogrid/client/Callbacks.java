package dev.isogrid.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Runs users' code that may take long, never on an event loop: listeners and subscribers, each of
 * which has one task. Thread-safe.
 */
final class Callbacks {
  /** The most listeners and subscribers that may block at once; others wait for their turn. */
  private static final int THREADS_MAX = 16;

  private static final long IDLE_SECONDS = 10;

  private final ThreadPoolExecutor executor;

  Callbacks() {
    executor =
        new ThreadPoolExecutor(
            THREADS_MAX,
            THREADS_MAX,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(), // one for each task, and those of supply
            new DaemonThreads("isogrid-client-callback"));
    executor.allowCoreThreadTimeOut(true);
  }

  /** Makes a task, which runs when it is asked to. It must not throw. */
  Task task(Runnable body) {
    return new Task(body);
  }

  /** Runs something once. */
  void execute(Runnable body) {
    try {
      executor.execute(body);
    } catch (RejectedExecutionException closed) {
      if (!executor.isShutdown()) { // else nobody is told of anything any more
        throw closed;
      }
    }
  }

  /** Runs something once that may wait for answers; fails if nothing runs any more. */
  <T> CompletableFuture<T> supply(Supplier<T> body) {
    try {
      return CompletableFuture.supplyAsync(body, executor);
    } catch (RejectedExecutionException closed) {
      return CompletableFuture.failedFuture(
          new HotRodClientException("the cache manager is closed", closed));
    }
  }

  /** Runs the waiting tasks, and accepts no more. */
  void close() {
    executor.shutdown();
  }

  /** Runs at most once at a time, and at least once after each time it is asked to. */
  final class Task {
    private final Runnable body;
    private final AtomicInteger asks = new AtomicInteger();

    private Task(Runnable body) {
      this.body = body;
    }

    /** Requests a run. For any thread; does not wait. */
    void ask() {
      if (asks.getAndIncrement() == 0) {
        execute(this::run);
      }
    }

    private void run() {
      int seen;
      do {
        seen = asks.get();
        body.run();
      } while (!asks.compareAndSet(seen, 0));
    }
  }
}
