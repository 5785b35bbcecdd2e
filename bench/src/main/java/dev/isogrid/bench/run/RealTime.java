package dev.isogrid.bench.run;

/** The real time, which benchmarks measure and never inject. */
public final class RealTime {
  private static final double NANOS_PER_SECOND = 1e9;

  private RealTime() {}

  /** Nanoseconds; only differences have a meaning. */
  public static long nanos() {
    return System.nanoTime(); // tidy: what is measured is real time
  }

  /** Waits for a process that gives no notice of its progress. */
  public static void pause(long millis) throws InterruptedException {
    Thread.sleep(millis); // tidy: paces the reading of another process
  }

  /** The seconds since an earlier {@link #nanos}. */
  public static double secondsSince(long startNanos) {
    return (nanos() - startNanos) / NANOS_PER_SECOND;
  }
}
