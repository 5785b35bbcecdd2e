package dev.isogrid.client;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for what other threads bring about. */
final class Pause {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(50);

  private Pause() {}

  /** Waits until a condition holds, or fails when the time is over. */
  static void until(String what, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + MAX_NANOS;
    while (!condition.call()) {
      if (System.nanoTime() - end >= 0) {
        throw new AssertionError("not in time: " + what);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
