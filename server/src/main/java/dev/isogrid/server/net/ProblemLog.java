package dev.isogrid.server.net;

import dev.isogrid.api.GridException;
import dev.isogrid.base.NanoClock;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Logs problems of connections: at most one line per second and cause, with the number of omitted
 * ones. Thread-safe.
 */
public final class ProblemLog {
  /** Causes are a fixed set of texts in the code, so this only guards against a mistake there. */
  private static final int CAUSES_MAX = 1000;

  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final NanoClock clock;
  private final Logger log;
  private final ConcurrentHashMap<String, Cause> causes = new ConcurrentHashMap<>();

  /** Creates a log. */
  public ProblemLog(NanoClock clock) {
    this(clock, System.getLogger("dev.isogrid.server"));
  }

  /** Creates a log with another receiver of the lines. */
  ProblemLog(NanoClock clock, Logger log) {
    this.clock = clock;
    this.log = log;
  }

  /** The time of a cause's last line, and the number of omitted ones. Guarded by the map. */
  private record Cause(long loggedNanos, long leftOut, boolean due) {}

  /**
   * Logs a problem, unless its cause was logged within the last second.
   *
   * @param cause a constant text that names the kind of problem
   * @param detail the details; no bytes of keys or values; called only if they are logged
   */
  public void report(String cause, Supplier<String> detail) {
    report(Level.WARNING, cause, detail, null);
  }

  /**
   * Logs a failed request, unless its cause was logged within the last second. A failure of the
   * server itself has its stack trace; a refusal of the grid or of a disk, which its text explains,
   * is one line.
   *
   * @param cause a constant text that names the kind of problem
   * @param failure the exception
   * @param detail as for {@link #report}
   */
  public void reportFailure(String cause, Throwable failure, Supplier<String> detail) {
    if (isExplained(failure)) {
      report(Level.WARNING, cause, () -> detail.get() + ", reason=" + failure.getMessage(), null);
    } else {
      report(Level.ERROR, cause, detail, failure);
    }
  }

  private static boolean isExplained(Throwable failure) {
    Throwable below = failure.getCause();
    return failure instanceof GridException && (below == null || below instanceof IOException);
  }

  private void report(
      Level level, String cause, Supplier<String> detail, @Nullable Throwable failure) {
    if (causes.size() >= CAUSES_MAX && !causes.containsKey(cause)) {
      return;
    }
    long nowNanos = clock.nanoTime();
    long[] leftOutBefore = {0};
    Cause after =
        causes.compute(
            cause,
            (key, before) -> {
              if (before != null && nowNanos - before.loggedNanos < PAUSE_NANOS) {
                return new Cause(before.loggedNanos, before.leftOut + 1, false);
              }
              leftOutBefore[0] = before == null ? 0 : before.leftOut;
              return new Cause(nowNanos, 0, true);
            });
    if (after.due) {
      String more = leftOutBefore[0] == 0 ? "" : " (and " + leftOutBefore[0] + " more before)";
      log.log(level, cause + ": " + detail.get() + more, failure);
    }
  }
}
