package dev.isogrid.server.net;

import dev.isogrid.base.NanoClock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Logs slow requests of clients: one line each, at most {@link #LINES_PER_SECOND}. Off until it has
 * a threshold. Thread-safe.
 */
public final class SlowLog {
  /** Enough to show slow requests; few enough that a slow server does not fill its disk. */
  static final int LINES_PER_SECOND = 10;

  private static final Logger log = System.getLogger("dev.isogrid.slow");
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final NanoClock clock;
  private final Consumer<String> target;

  // written by: the configuration of the server, before it has clients
  private volatile long thresholdNanos = Long.MAX_VALUE;

  // Guarded by this.
  private long secondNanos;
  private int lines;
  private long leftOut;

  /** Creates a log that is off. */
  public SlowLog(NanoClock clock) {
    this(clock, line -> log.log(Level.WARNING, line));
  }

  /** Creates a log for another target. */
  public SlowLog(NanoClock clock, Consumer<String> target) {
    this.clock = clock;
    this.target = target;
    this.secondNanos = clock.nanoTime();
  }

  /**
   * The operation of a line.
   *
   * @param name of the operation
   * @param cache its name
   * @param keyHash the hash of the key; nothing if there is none
   * @param sizeBytes of the request
   */
  public record Operation(String name, String cache, int keyHash, int sizeBytes) {}

  /** Sets the least duration for a line. */
  public void threshold(long millis) {
    thresholdNanos = TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** Whether it has a threshold. */
  public boolean isOn() {
    return thresholdNanos != Long.MAX_VALUE;
  }

  /** Whether a request took long enough for a line. */
  public boolean isSlow(long nanos) {
    return nanos >= thresholdNanos;
  }

  /**
   * Logs a request that {@link #isSlow}, unless there were too many within this second.
   *
   * @param waitedNanos the time that it waited for a thread
   * @param workedNanos the time of its execution
   */
  public void report(Operation operation, long waitedNanos, long workedNanos) {
    long omitted = admit();
    if (omitted >= 0) {
      target.accept(
          "slow: operation=%s, cache=%s, keyHash=%08x, size=%d, queuedMicros=%d, workedMicros=%d%s"
              .formatted(
                  operation.name,
                  operation.cache,
                  operation.keyHash,
                  operation.sizeBytes,
                  TimeUnit.NANOSECONDS.toMicros(waitedNanos),
                  TimeUnit.NANOSECONDS.toMicros(workedNanos),
                  omitted == 0 ? "" : " (and " + omitted + " more before)"));
    }
  }

  /** Admits a line; returns the number of lines omitted before it, or -1 if this one is omitted. */
  private synchronized long admit() {
    long nowNanos = clock.nanoTime();
    if (nowNanos - secondNanos >= SECOND_NANOS) {
      secondNanos = nowNanos;
      lines = 0;
    }
    if (lines == LINES_PER_SECOND) {
      leftOut++;
      return -1;
    }
    lines++;
    long omitted = leftOut;
    leftOut = 0;
    return omitted;
  }
}
