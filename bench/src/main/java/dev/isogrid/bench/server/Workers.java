package dev.isogrid.bench.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that do the same thing at once. */
final class Workers implements AutoCloseable {
  private final ExecutorService threads;
  private final int count;

  Workers(int count) {
    this.threads =
        Executors.newFixedThreadPool(
            count, Thread.ofPlatform().daemon().name("load-", 0).factory());
    this.count = count;
  }

  /** What a thread does. */
  interface Work {
    /** Does it on the thread with an index from 0; returns how many requests were answered. */
    long run(int thread) throws Exception;
  }

  /** Lets each thread do its work and waits; returns the sum of what they return. */
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
