package dev.isogrid.bench.client;

import dev.isogrid.bench.load.Entries;
import dev.isogrid.bench.run.RealTime;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Lets a client work for a time, and counts. Failed operations are counted apart. */
final class ClientLoad {
  /** The longest wait for an answer, much longer than the time-out of any client. */
  private static final long ANSWER_SECONDS_MAX = 120;

  private final RemoteMap map;
  private final Entries entries;
  private final LongAdder done = new LongAdder();
  private final LongAdder failed = new LongAdder();

  ClientLoad(RemoteMap map, Entries entries) {
    this.map = map;
    this.entries = entries;
  }

  /** Operations that succeeded. */
  long done() {
    return done.sum();
  }

  /** Operations that failed. */
  long failed() {
    return failed.sum();
  }

  /** Stores all entries. */
  void fill() {
    for (int i = 0; i < entries.count(); i++) {
      map.put(entries.key(i), entries.value());
    }
  }

  /** Runs threads that each wait for their answers. */
  void threads(Work work, int count, long endNanos) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int seed = i;
      threads.add(Thread.ofPlatform().name("load-" + i).start(() -> run(work, seed, endNanos)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void run(Work work, int seed, long endNanos) {
    SplittableRandom random = new SplittableRandom(seed);
    long count = 0;
    while (RealTime.nanos() - endNanos < 0) {
      byte[] key = entries.key(random.nextInt(entries.count()));
      try {
        work.run(map, key, entries.value(), random);
        count++;
      } catch (RuntimeException failure) { // the clients' exceptions have nothing else in common
        failed.increment();
      }
    }
    done.add(count);
  }

  /** Runs one thread that keeps a number of operations in flight. */
  void outstanding(Work work, int count, long endNanos) throws InterruptedException {
    SplittableRandom random = new SplittableRandom(count);
    Semaphore free = new Semaphore(count);
    while (RealTime.nanos() - endNanos < 0) {
      acquire(free, 1);
      byte[] key = entries.key(random.nextInt(entries.count()));
      work.start(map, key, entries.value(), random)
          .whenComplete((_, failure) -> {
            (failure == null ? done : failed).increment();
            free.release();
          });
    }
    acquire(free, count);
  }

  private static void acquire(Semaphore free, int permits) throws InterruptedException {
    if (!free.tryAcquire(permits, ANSWER_SECONDS_MAX, TimeUnit.SECONDS)) {
      throw new IllegalStateException("no answer in " + ANSWER_SECONDS_MAX + " s");
    }
  }
}
