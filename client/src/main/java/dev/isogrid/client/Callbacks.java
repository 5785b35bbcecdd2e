package dev.isogrid.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs users' code that may take long, never on an event loop: listeners and subscribers, each of
 * which has one task, and functions of asynchronous operations. Thread-safe.
 */
final class Callbacks {
  /**
   * The most listeners and subscribers that may block at once, and the most functions; others wait
   * for their turn.
   */
  private static final int THREADS_MAX = 16;

  private static final long IDLE_SECONDS = 10;

  /** As many as an embedded cache takes. Each holds some 200 bytes beside its key and value. */
  private static final int SUPPLIERS_MAX = 10_000;

  private final ThreadPoolExecutor executor = pool("isogrid-client-callback");

  /** Apart from listeners, which would wait for functions that take their time otherwise. */
  private final ThreadPoolExecutor supplying = pool("isogrid-client-function");

  private final AtomicInteger suppliers = new AtomicInteger();

  private static ThreadPoolExecutor pool(String threads) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            THREADS_MAX,
            THREADS_MAX,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(), // one for each task, or suppliers, which are limited
            new DaemonThreads(threads));
    pool.allowCoreThreadTimeOut(true);
    return pool;
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

  /**
   * Runs something once that may wait for answers. The future fails if nothing runs any more, or if
   * {@value #SUPPLIERS_MAX} wait or run already.
   */
  <T extends @Nullable Object> CompletableFuture<T> supply(Supplier<T> body) {
    if (suppliers.incrementAndGet() > SUPPLIERS_MAX) {
      suppliers.decrementAndGet();
      return CompletableFuture.failedFuture(
          new TooManyRequestsException(
              "too many asynchronous functions: limit=%d; wait for some".formatted(SUPPLIERS_MAX)));
    }
    try {
      CompletableFuture<T> result = CompletableFuture.supplyAsync(body, supplying);
      result.whenComplete((value, failure) -> suppliers.decrementAndGet());
      return result;
    } catch (RejectedExecutionException closed) {
      suppliers.decrementAndGet();
      return CompletableFuture.failedFuture(
          new HotRodClientException("the cache manager is closed", closed));
    }
  }

  /** Runs the waiting tasks, and accepts no more. */
  void close() {
    executor.shutdown();
    supplying.shutdown();
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
