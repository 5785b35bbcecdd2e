package dev.isogrid.node;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.Scheduler;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Where the code of users runs that came from other nodes: as many threads as there are processors,
 * which are there only while there is something to do. Thread-safe.
 */
final class UserThreads implements AutoCloseable {
  /** Tasks that may wait for a thread: more would not end in any time that a caller waits. */
  private static final int QUEUE_MAX = 1000;

  private static final long IDLE_SECONDS = 10;

  private final String node;
  private final ThreadPoolExecutor pool;

  /** Begins without threads. */
  UserThreads(String node, Scheduler scheduler) {
    this.node = node;
    int processors = Runtime.getRuntime().availableProcessors();
    this.pool =
        new ThreadPoolExecutor(
            processors,
            processors,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(QUEUE_MAX),
            scheduler.threads(Thread.ofPlatform().daemon().name("isogrid-user-", 0)));
    pool.allowCoreThreadTimeOut(true);
  }

  /**
   * Runs code and waits for it. If the waiting thread is interrupted, the code is as well.
   *
   * @throws RetryableGridException if too much waits already, or the node is closed
   * @throws Exception what the code throws
   */
  <R> R call(Callable<R> code) throws Exception {
    FutureTask<R> work = new FutureTask<>(code);
    begin(work);
    try {
      return work.get();
    } catch (InterruptedException e) {
      work.cancel(true);
      pool.remove(work);
      throw e;
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case Exception thrown -> throw thrown;
        case Error thrown -> throw thrown;
        case null, default -> throw e;
      }
    }
  }

  /**
   * Runs code some time.
   *
   * @throws RetryableGridException if too much waits already, or the node is closed
   */
  void begin(Runnable code) {
    try {
      pool.execute(code);
    } catch (RejectedExecutionException full) {
      throw new RetryableGridException(
          "no thread for a task: node=%s, threads=%d, waiting=%d; try again later"
              .formatted(node, pool.getMaximumPoolSize(), pool.getQueue().size()),
          full);
    }
  }

  /** Interrupts what runs, and drops what waits. */
  @Override
  public void close() {
    pool.shutdownNow();
  }
}
