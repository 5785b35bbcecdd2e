package dev.isogrid.cli;

import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows on a terminal that a command waits for the server, and for how long, after the silence of
 * {@link Progress}. Shows nothing where there is no terminal. Closed by the thread that begins it.
 */
final class Waiting implements AutoCloseable {
  private static final long STEP_MILLIS = 500;
  private static final String CLEAR_LINE = "\r\033[K";

  private final PrintStream out;
  private final LongSupplier nanoClock;
  private final long startNanos;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final @Nullable Thread thread;

  /** Written by the thread that shows; read after its end. */
  private boolean isDrawn;

  private Waiting(PrintStream out, boolean isShown, LongSupplier nanoClock) {
    this.out = out;
    this.nanoClock = nanoClock;
    this.startNanos = nanoClock.getAsLong();
    this.thread = isShown ? Thread.ofVirtual().start(this::show) : null;
  }

  /** Begins on the terminal of a session, if it has one. */
  static Waiting of(Session session) {
    return new Waiting(session.err(), session.asker().sees(), session.nanoClock());
  }

  private void show() {
    try {
      while (!ended.await(STEP_MILLIS, TimeUnit.MILLISECONDS)) {
        String line = line(nanoClock.getAsLong() - startNanos);
        if (line != null) {
          isDrawn = true;
          out.print(CLEAR_LINE + line);
          out.flush();
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** The line after a wait, or null if it is too short to be mentioned. */
  static @Nullable String line(long elapsedNanos) {
    return elapsedNanos < Progress.SILENT_NANOS
        ? null
        : "waiting for the server, %d s".formatted(TimeUnit.NANOSECONDS.toSeconds(elapsedNanos));
  }

  /** Removes the line. */
  @Override
  public void close() {
    Thread shown = thread;
    if (shown == null) {
      return;
    }
    ended.countDown();
    boolean isInterrupted = Thread.interrupted();
    try {
      shown.join(); // ends at once
    } catch (InterruptedException _) {
      isInterrupted = true;
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
    if (isDrawn) {
      out.print(CLEAR_LINE);
      out.flush();
    }
  }
}
