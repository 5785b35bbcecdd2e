package dev.isogrid.bench.run;

/** The time that benchmarks measure, which is nobody's to inject. */
public final class RealTime {
  private static final double NANOS_PER_SECOND = 1e9;

  private RealTime() {}

  /** Nanoseconds; only differences mean anything. */
  public static long nanos() {
    return System.nanoTime(); // tidy: what is measured is real time
  }

  /** Waits, for a process that nothing tells when it has done something. */
  public static void pause(long millis) throws InterruptedException {
    Thread.sleep(millis); // tidy: paces the reading of another process
  }

  /** The seconds since an earlier {@link #nanos}. */
  public static double secondsSince(long startNanos) {
    return (nanos() - startNanos) / NANOS_PER_SECOND;
  }
}
