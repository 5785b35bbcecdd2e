package dev.isogrid.bench.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that run the same work at once. */
final class Workers implements AutoCloseable {
  private final ExecutorService threads;
  private final int count;

  Workers(int count) {
    this.threads =
        Executors.newFixedThreadPool(
            count, Thread.ofPlatform().daemon().name("load-", 0).factory());
    this.count = count;
  }

  /** The work of a thread. */
  interface Work {
    /** Runs the work on the thread with an index from 0; returns the number of replies. */
    long run(int thread) throws Exception;
  }

  /** Runs the work on each thread and waits; returns the sum of the results. */
  long run(Work work) throws IOException, InterruptedException {
    List<Callable<Long>> tasks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int thread = i;
      tasks.add(() -> work.run(thread));
    }
    long sum = 0;
    for (Future<Long> task : threads.invokeAll(tasks)) {
      try {
        sum += task.get();
      } catch (ExecutionException failure) {
        throw new IOException("a request failed: " + failure.getCause(), failure.getCause());
      }
    }
    return sum;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
