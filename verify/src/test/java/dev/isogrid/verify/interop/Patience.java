package dev.isogrid.verify.interop;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another process does. */
public final class Patience {
  private static final long STEP_NANOS = Duration.ofMillis(5).toNanos();

  private Patience() {}

  /** Waits until something holds, and fails if that takes too long. */
  public static void await(String what, Duration most, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > most.toNanos()) {
        throw new AssertionError("not in time: " + what + ", waited=" + most);
      }
      LockSupport.parkNanos(STEP_NANOS);
    }
  }
}
