package dev.isogrid.server.net;

import dev.isogrid.base.Env;
import dev.isogrid.base.Scheduler;
import java.lang.System.Logger.Level;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Retries a task after a failure that may be temporary, such as a full disk: after a second, and
 * after pauses that double up to a minute, until it succeeds. Thread-safe.
 */
final class Retrying {
  private static final System.Logger log = System.getLogger(Retrying.class.getName());

  private static final long FIRST_PAUSE_MILLIS = 1000;

  /** The longest pause: it costs little, and an operator who made room need not wait long. */
  private static final long LONGEST_PAUSE_MILLIS = 60_000;

  private final Env env;
  private final String what;
  private final Runnable task;

  private Scheduler.@Nullable Task ticking;
  private boolean isRunning;
  private long pauseMillis;
  private long dueNanos;

  /**
   * Begins without attempts.
   *
   * @param what the name of the task, for the log
   * @param task may block; throws a RuntimeException if it failed
   */
  Retrying(Env env, String what, Runnable task) {
    this.env = env;
    this.what = what;
    this.task = task;
  }

  /** Begins to try, unless attempts are in progress. */
  synchronized void begin() {
    if (ticking != null) {
      return;
    }
    pauseMillis = FIRST_PAUSE_MILLIS;
    dueNanos = env.nanoClock().nanoTime() + pauseMillis * 1_000_000;
    try {
      ticking = env.scheduler().every(FIRST_PAUSE_MILLIS, this::tick);
    } catch (RejectedExecutionException _) { // the server is stopping
    }
  }

  private synchronized void tick() {
    if (!isRunning && ticking != null && env.nanoClock().nanoTime() - dueNanos >= 0) {
      isRunning = true;
      try {
        env.scheduler().execute(this::run);
      } catch (RejectedExecutionException _) { // the server is stopping
        isRunning = false;
      }
    }
  }

  private void run() {
    RuntimeException failure = null;
    try {
      task.run();
    } catch (RuntimeException e) {
      failure = e;
    }
    ended(failure);
  }

  private synchronized void ended(@Nullable RuntimeException failure) {
    isRunning = false;
    if (failure == null) {
      if (ticking != null) {
        ticking.close();
        ticking = null;
      }
      log.log(Level.INFO, "succeeded after an earlier failure: what=" + what);
      return;
    }
    pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
    dueNanos = env.nanoClock().nanoTime() + pauseMillis * 1_000_000;
    log.log(
        Level.WARNING,
        "failed again: what=%s, reason=%s; next attempt in %d s"
            .formatted(what, failure.getMessage(), pauseMillis / 1000));
  }
}
