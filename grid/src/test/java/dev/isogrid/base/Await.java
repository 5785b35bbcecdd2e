package dev.isogrid.base;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for what other threads bring about. */
public final class Await {
  private static final long PAUSE_NANOS = 5_000_000;

  private Await() {}

  /** Waits until a condition holds, or fails when the time is over. */
  public static void until(String what, Duration time, Callable<Boolean> condition)
      throws Exception {
    long end = System.nanoTime() + time.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() - end >= 0) {
        throw new AssertionError("not within " + time.toMillis() + " ms: " + what);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
