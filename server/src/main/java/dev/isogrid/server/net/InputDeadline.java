package dev.isogrid.server.net;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Detects a client that does not send the rest of a request. A client above the least rate may take
 * any time. Checks the connection every few seconds, and only while it waits for input, so requests
 * that arrive in one piece cost nothing. For the connection's event loop only.
 */
public final class InputDeadline {
  /** The interval of checks. */
  static final int TICK_SECONDS = 10;

  /** The time for any request, however few bytes of it arrive: a short failure of the network. */
  public static final int GRACE_SECONDS = 30;

  /**
   * The bytes of a longer request that must arrive per second. The slowest mobile connections are
   * faster, and a body of 10 MiB can't keep its memory for longer than three hours.
   */
  public static final int BYTES_PER_SECOND_MIN = 1024;

  /** The time without input for a client without a login: as long as a login may take. */
  public static final int STRANGER_IDLE_SECONDS = 60;

  private static final int GRACE_TICKS = GRACE_SECONDS / TICK_SECONDS;
  private static final int IDLE_TICKS = STRANGER_IDLE_SECONDS / TICK_SECONDS;
  private static final long BYTES_PER_TICK_MIN = (long) BYTES_PER_SECOND_MIN * TICK_SECONDS;

  /** The input that the client must send. */
  private enum Expected {
    NOTHING,
    REST_OF_REQUEST,
    ANY_REQUEST
  }

  private final EventExecutor executor;
  private final Runnable late;

  private Expected expected = Expected.NOTHING;
  private @Nullable Future<?> timer;

  /** The checks since the input is expected. */
  private int ticks;

  private long bytes;
  private long bytesAtTick;

  /**
   * Begins without expecting anything.
   *
   * @param executor the event loop of the connection
   * @param late runs on it when the client is too slow
   */
  public InputDeadline(EventExecutor executor, Runnable late) {
    this.executor = executor;
    this.late = late;
  }

  /** Notes that no request is unfinished, or that the server does not wait for the client. */
  public void done() {
    expected = Expected.NOTHING;
  }

  /**
   * Notes that a request is unfinished: the same one as before unless {@link #done} was called.
   *
   * @param bytesRead the received bytes of the connection
   */
  public void unfinished(long bytesRead) {
    bytes = bytesRead;
    expect(Expected.REST_OF_REQUEST);
  }

  /** Notes that a client without a login has sent nothing of its next request. */
  public void idle() {
    expect(Expected.ANY_REQUEST);
  }

  private void expect(Expected next) {
    if (expected != next) {
      expected = next;
      ticks = 0;
      bytesAtTick = bytes;
      if (timer == null) {
        startTimer();
      }
    }
  }

  private void startTimer() {
    timer = executor.schedule(this::tick, TICK_SECONDS, TimeUnit.SECONDS);
  }

  private void tick() {
    timer = null;
    ticks++;
    boolean isLate =
        switch (expected) {
          case NOTHING -> false;
          case REST_OF_REQUEST -> ticks > GRACE_TICKS && bytes - bytesAtTick < BYTES_PER_TICK_MIN;
          case ANY_REQUEST -> ticks > IDLE_TICKS;
        };
    bytesAtTick = bytes;
    if (isLate) {
      expected = Expected.NOTHING;
      late.run();
    } else if (expected != Expected.NOTHING) {
      startTimer();
    }
  }

  /** Stops the checks for good. */
  public void close() {
    expected = Expected.NOTHING;
    Future<?> pending = timer;
    if (pending != null) {
      timer = null;
      pending.cancel(false);
    }
  }
}
