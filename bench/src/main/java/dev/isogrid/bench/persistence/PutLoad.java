package dev.isogrid.bench.persistence;

import dev.isogrid.bench.load.Entries;
import dev.isogrid.bench.load.Operation;
import dev.isogrid.bench.load.PipelinedConnection;
import dev.isogrid.bench.run.RealTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Puts of random keys, many at once.
 *
 * @param entries the keys, and the value of all
 * @param connections their number, one thread each
 * @param depth the puts that a connection sends at once
 */
record PutLoad(Entries entries, int connections, int depth) {
  /** The result of a load. */
  record Done(long puts, double seconds) {
    double perSecond() {
      return puts / seconds;
    }
  }

  /** Returns the puts that are under way at a time. */
  int outstanding() {
    return connections * depth;
  }

  /** Stores all entries. */
  void fill(StoreSubject subject) throws IOException {
    try (PipelinedConnection connection =
        new PipelinedConnection(subject.port(), subject.wire().get(), entries, depth, 0)) {
      connection.putAll();
    }
  }

  /** Overwrites entries for some time. */
  Done run(StoreSubject subject, long millis) throws IOException, InterruptedException {
    long begun = RealTime.nanos();
    long endNanos = begun + TimeUnit.MILLISECONDS.toNanos(millis);
    long count = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(connections)) {
      List<Future<Long>> counts = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        long seed = begun + i;
        counts.add(threads.submit(() -> puts(subject, seed, endNanos)));
      }
      for (Future<Long> each : counts) {
        count += each.get();
      }
    } catch (ExecutionException failure) {
      throw new IOException("puts failed: subject=" + subject.name(), failure.getCause());
    }
    return new Done(count, RealTime.secondsSince(begun));
  }

  private long puts(StoreSubject subject, long seed, long endNanos) throws IOException {
    try (PipelinedConnection connection =
        new PipelinedConnection(subject.port(), subject.wire().get(), entries, depth, seed)) {
      long puts = 0;
      while (RealTime.nanos() - endNanos < 0) {
        puts += connection.runBatch(Operation.PUT);
      }
      return puts;
    }
  }
}
