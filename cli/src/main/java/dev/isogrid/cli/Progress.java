package dev.isogrid.cli;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Shows how far a long command is, on one line of a terminal: how many entries, how many per
 * second, and the time that is left if the total is known. Silent for the first seconds, and where
 * there is no terminal. For one thread.
 */
final class Progress {
  static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final String CLEAR_LINE = "\r\033[K";
  private static final int MINUTE = 60;

  private final PrintStream out;
  private final boolean isShown;
  private final LongSupplier nanoClock;
  private final long startNanos;
  private long nextNanos;
  private boolean isDrawn;

  /**
   * Begins.
   *
   * @param isShown whether there is a terminal
   * @param nanoClock a monotonic clock
   */
  Progress(PrintStream out, boolean isShown, LongSupplier nanoClock) {
    this.out = out;
    this.isShown = isShown;
    this.nanoClock = nanoClock;
    this.startNanos = nanoClock.getAsLong();
    this.nextNanos = startNanos + SILENT_NANOS;
  }

  /**
   * Reports where the command is.
   *
   * @param entries done
   * @param done done of the total, in the total's unit
   * @param total below 1 if it is not known
   */
  void at(long entries, long done, long total) {
    if (!isShown) {
      return;
    }
    long nowNanos = nanoClock.getAsLong();
    if (nowNanos - nextNanos < 0) {
      return;
    }
    nextNanos = nowNanos + STEP_NANOS;
    isDrawn = true;
    out.print(CLEAR_LINE + line(entries, done, total, nowNanos - startNanos));
    out.flush();
  }

  /** What the line says. */
  static String line(long entries, long done, long total, long elapsedNanos) {
    double seconds = Math.max(1e-9, elapsedNanos / 1e9);
    String line = "%,d entries, %,d/s".formatted(entries, (long) (entries / seconds));
    if (total < 1 || done < 1) {
      return line;
    }
    long percent = Math.min(100, 100 * done / total);
    long left = Math.round(seconds * Math.max(0, total - done) / done);
    return "%s, %d %%, %s left".formatted(line, percent, time(left));
  }

  private static String time(long seconds) {
    return seconds < MINUTE
        ? seconds + " s"
        : "%d:%02d min".formatted(seconds / MINUTE, seconds % MINUTE);
  }

  /** Removes the line. */
  void end() {
    if (isDrawn) {
      out.print(CLEAR_LINE);
      out.flush();
    }
  }
}
