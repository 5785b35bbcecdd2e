package dev.isogrid.cli;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Shows how far a long command is, on one line of a terminal: how much is done, how much per
 * second, and the time that is left if the total is known. Silent for the first seconds, and where
 * there is no terminal. For one thread.
 */
final class Progress {
  static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final String CLEAR_LINE = "\r\033[K";
  private static final int MINUTE = 60;

  private final String unit;
  private final PrintStream out;
  private final boolean isShown;
  private final LongSupplier nanoClock;
  private final long startNanos;
  private long nextNanos;
  private boolean isDrawn;

  /**
   * Begins.
   *
   * @param unit of what is counted, for example {@code entries}
   * @param isShown whether there is a terminal
   * @param nanoClock a monotonic clock
   */
  Progress(String unit, PrintStream out, boolean isShown, LongSupplier nanoClock) {
    this.unit = unit;
    this.out = out;
    this.isShown = isShown;
    this.nanoClock = nanoClock;
    this.startNanos = nanoClock.getAsLong();
    this.nextNanos = startNanos + SILENT_NANOS;
  }

  /** Begins on the terminal of a session, if it has one. */
  static Progress of(String unit, Session session) {
    return new Progress(unit, session.err(), session.asker().sees(), session.nanoClock());
  }

  /**
   * Reports where the command is.
   *
   * @param count what is done, in the unit
   * @param done done of the total, in the total's unit
   * @param total below 1 if it is not known
   */
  void at(long count, long done, long total) {
    if (!isShown) {
      return;
    }
    long nowNanos = nanoClock.getAsLong();
    if (nowNanos - nextNanos < 0) {
      return;
    }
    nextNanos = nowNanos + STEP_NANOS;
    isDrawn = true;
    out.print(CLEAR_LINE + line(unit, count, done, total, nowNanos - startNanos));
    out.flush();
  }

  /** The text of the line. */
  static String line(String unit, long count, long done, long total, long elapsedNanos) {
    double seconds = Math.max(1e-9, elapsedNanos / 1e9);
    String line = "%,d %s, %,d/s".formatted(count, unit, (long) (count / seconds));
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
