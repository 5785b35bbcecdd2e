package dev.isogrid.server.net;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a client does not send the rest of a request that it has begun. A slow client may
 * take any time, if it is not too slow. Looks at the connection once in some seconds, and only
 * while there is something to wait for; so requests that arrive in one piece cost nothing. For the
 * connection's event loop only.
 */
public final class InputDeadline {
  /** How often it looks. */
  static final int TICK_SECONDS = 10;

  /** The time for any request, however few bytes of it come: a short stop of the network. */
  public static final int GRACE_SECONDS = 30;

  /**
   * The bytes of a longer one that must come in each second. The slowest lines of mobile phones are
   * faster, and a body of 10 MiB can't keep its memory for longer than three hours.
   */
  public static final int BYTES_PER_SECOND_MIN = 1024;

  /** How long a client that has not logged in may do nothing: as long as a login may take. */
  public static final int STRANGER_IDLE_SECONDS = 60;

  private static final int GRACE_TICKS = GRACE_SECONDS / TICK_SECONDS;
  private static final int IDLE_TICKS = STRANGER_IDLE_SECONDS / TICK_SECONDS;
  private static final long BYTES_PER_TICK_MIN = (long) BYTES_PER_SECOND_MIN * TICK_SECONDS;

  /** What the client is to send. */
  private enum Expected {
    NOTHING,
    REST_OF_REQUEST,
    ANY_REQUEST
  }

  private final EventExecutor executor;
  private final Runnable late;

  private Expected expected = Expected.NOTHING;
  private @Nullable Future<?> timer;

  /** Since when it is expected. */
  private int ticks;

  private long bytes;
  private long bytesAtTick;

  /**
   * Begins without expecting anything.
   *
   * @param executor the connection's event loop
   * @param late called on it when the client is too slow
   */
  public InputDeadline(EventExecutor executor, Runnable late) {
    this.executor = executor;
    this.late = late;
  }

  /** Notes that no request is unfinished, or that it is not the client that is waited for. */
  public void done() {
    expected = Expected.NOTHING;
  }

  /**
   * Notes that a request is unfinished, the same as before unless {@link #done} was called.
   *
   * @param bytesRead what has arrived on the connection, in bytes
   */
  public void unfinished(long bytesRead) {
    bytes = bytesRead;
    expect(Expected.REST_OF_REQUEST);
  }

  /** Notes that a client that has not logged in has sent nothing of its next request. */
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

  /** Stops looking, for good. */
  public void close() {
    expected = Expected.NOTHING;
    Future<?> pending = timer;
    if (pending != null) {
      timer = null;
      pending.cancel(false);
    }
  }
}
