package dev.isogrid.client;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Reads answers with objects of classes that are used for the first time, since that waits for
 * schemas. Threads of its own, so that users' listeners can't keep it from running. Thread-safe.
 */
final class SchemaWaits {
  /** Each waits for a few round trips, once per class. */
  private static final int THREADS_MAX = 2;

  private static final long IDLE_SECONDS = 10;

  private final ThreadPoolExecutor executor;

  SchemaWaits() {
    executor =
        new ThreadPoolExecutor(
            THREADS_MAX,
            THREADS_MAX,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(), // at most one for each operation that is under way
            new DaemonThreads("isogrid-client-schema"));
    executor.allowCoreThreadTimeOut(true);
  }

  /**
   * Runs something that ends an operation.
   *
   * @param ended fails if nothing runs any more
   */
  void execute(Runnable body, Operation<?> ended) {
    try {
      executor.execute(body);
    } catch (RejectedExecutionException closed) {
      ended.fail(new HotRodClientException("the cache manager is closed", closed));
    }
  }

  /** Runs the waiting tasks, and accepts no more. */
  void close() {
    executor.shutdown();
  }
}
