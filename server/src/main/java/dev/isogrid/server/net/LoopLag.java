package dev.isogrid.server.net;

import dev.isogrid.base.NanoClock;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How long tasks wait for the event loops: the time of a task that does nothing. A blocked or busy
 * loop delays the requests of all its connections as long. Thread-safe.
 */
public final class LoopLag {
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Iterable<? extends Executor> loops;
  private final NanoClock clock;

  /** The longest wait since the last reading. */
  private final AtomicLong longestNanos = new AtomicLong();

  /** The beginning of the oldest task that has not run yet, or 0. */
  private final AtomicLong pendingSince = new AtomicLong();

  /** Begins without a measurement. */
  public LoopLag(Iterable<? extends Executor> loops, NanoClock clock) {
    this.loops = loops;
    this.clock = clock;
  }

  /** Begins a measurement on each loop; to be called now and then. Does not block. */
  void probe() {
    long begun = Math.max(1, clock.nanoTime());
    if (!pendingSince.compareAndSet(0, begun)) {
      return; // a loop has not run the last task yet
    }
    Runnable done = countdown(begun);
    try {
      for (Executor loop : loops) {
        loop.execute(done);
      }
    } catch (RejectedExecutionException _) {
      pendingSince.set(0); // the server is stopping
    }
  }

  private Runnable countdown(long begun) {
    int count = 0;
    for (Executor _ : loops) {
      count++;
    }
    AtomicLong left = new AtomicLong(count);
    return () -> {
      longestNanos.accumulateAndGet(clock.nanoTime() - begun, Math::max);
      if (left.decrementAndGet() == 0) {
        pendingSince.set(0);
      }
    };
  }

  /** The longest wait since the last call, in seconds; that of a task that still waits included. */
  double takeSeconds() {
    long since = pendingSince.get();
    long pending = since == 0 ? 0 : clock.nanoTime() - since;
    return Math.max(pending, longestNanos.getAndSet(0)) / NANOS_PER_SECOND;
  }
}
