package dev.isogrid.chaos.time;

import java.util.concurrent.TimeUnit;

/** The clock of a run. Thread-safe. */
public final class RealTime {
  private final long originNanos;

  /** Makes a clock that begins now. */
  public RealTime() {
    originNanos = System.nanoTime(); // tidy: histories of real processes are in real time
  }

  /** Nanoseconds since this clock began. */
  public long nanos() {
    return System.nanoTime() - originNanos; // tidy: as above
  }

  /** Milliseconds since this clock began. */
  public long millis() {
    return TimeUnit.NANOSECONDS.toMillis(nanos());
  }

  /** Waits for a process that gives no notice of its progress, or for the length of a fault. */
  public static void pauseMillis(long millis) throws InterruptedException {
    Thread.sleep(millis); // tidy: paces real processes
  }
}
