package dev.isogrid.chaos.load;

import dev.isogrid.chaos.time.RealTime;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Lets one thread act at most so many times per second, evenly. Not thread-safe. */
final class Pace {
  private final RealTime time;
  private final long intervalNanos;
  private long nextNanos;

  Pace(RealTime time, double timesASecond) {
    this.time = time;
    this.intervalNanos = (long) (TimeUnit.SECONDS.toNanos(1) / timesASecond);
    this.nextNanos = time.nanos();
  }

  /** Waits until the next step is due. Missed steps are not made up for. */
  void await() {
    long now = time.nanos();
    nextNanos = Math.max(nextNanos + intervalNanos, now - intervalNanos);
    while (now < nextNanos && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(nextNanos - now);
      now = time.nanos();
    }
  }
}
