package dev.isogrid.server.net;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The bytes that one connection has taken from an {@link InputBudget}. For its event loop only. */
public final class InputShare {
  /**
   * The longest wait of a connection for memory: enough for the requests of others to finish, and
   * shorter than most clients wait for a reply.
   */
  public static final int WAIT_SECONDS = 10;

  private final EventExecutor executor;
  private final Runnable granted;
  private final Runnable refused;

  private @Nullable InputBudget budget;
  private long held;
  private @Nullable Waiting waiting;
  private boolean closed;

  /**
   * Begins without bytes.
   *
   * @param executor the event loop of the connection
   * @param granted runs on it when a call of {@link #hold} that returned false would succeed now
   * @param refused runs on it when the wait was too long
   */
  public InputShare(EventExecutor executor, Runnable granted, Runnable refused) {
    this.executor = executor;
    this.granted = granted;
    this.refused = refused;
  }

  /** A wait for more. */
  private static final class Waiting {
    private final long more;
    private @Nullable Object place;
    private @Nullable Future<?> timeout;

    Waiting(long more) {
      this.more = more;
    }
  }

  /** The bytes that are held. */
  public long held() {
    return held;
  }

  /** Whether it waits for more bytes. */
  public boolean isWaiting() {
    return waiting != null;
  }

  /**
   * Changes the held bytes to a number, or begins to wait for them. A smaller number is always
   * granted.
   *
   * @param from the budget; a previous, different one gets its bytes back
   * @param bytes in all, 0 or more
   * @return false if too few are free; then the connection must not read until it is notified
   */
  public boolean hold(InputBudget from, long bytes) {
    if (waiting != null) {
      return false;
    }
    if (!tryHold(from, bytes)) {
      await(from, bytes, bytes - held);
      return false;
    }
    return true;
  }

  /**
   * Changes the held bytes to a number, if enough are free.
   *
   * @param from as for {@link #hold}
   * @param bytes in all, 0 or more
   * @return false if too few are free; then the held bytes stay unchanged
   */
  public boolean tryHold(InputBudget from, long bytes) {
    if (waiting != null) {
      return false;
    }
    InputBudget taken = budget;
    if (taken == null || taken != from) {
      if (taken != null && held > 0) {
        taken.give(held);
        held = 0;
      }
      taken = from;
      budget = from;
    }
    long more = bytes - held;
    if (more < 0) {
      held = bytes;
      taken.give(-more);
    } else if (more > 0) {
      if (!taken.tryTake(more)) {
        return false;
      }
      held = bytes;
    }
    return true;
  }

  private void await(InputBudget taken, long bytes, long more) {
    Waiting begun = new Waiting(more);
    waiting = begun;
    boolean neverFits = bytes > taken.bytesMax();
    begun.timeout =
        executor.schedule(() -> late(begun), neverFits ? 0 : WAIT_SECONDS, TimeUnit.SECONDS);
    if (!neverFits) {
      begun.place = taken.await(more, () -> grantedAnywhere(taken, begun));
    }
  }

  /** Any thread. */
  private void grantedAnywhere(InputBudget taken, Waiting begun) {
    try {
      executor.execute(() -> grantedHere(taken, begun));
    } catch (RejectedExecutionException _) {
      taken.give(begun.more); // the event loop has ended, and the connection with it
    }
  }

  private void grantedHere(InputBudget taken, Waiting begun) {
    if (closed) {
      taken.give(begun.more);
      return;
    }
    held += begun.more;
    endWaiting(begun);
    granted.run();
  }

  private void late(Waiting begun) {
    Object place = begun.place;
    InputBudget taken = budget;
    if (waiting != begun || (place != null && taken != null && !taken.cancel(place))) {
      return; // granted meanwhile
    }
    endWaiting(begun);
    refused.run();
  }

  private void endWaiting(Waiting begun) {
    waiting = null;
    Future<?> timeout = begun.timeout;
    if (timeout != null) {
      timeout.cancel(false);
    }
  }

  /** Gives everything back, for good. Calling it twice is harmless. */
  public void close() {
    closed = true;
    Waiting begun = waiting;
    InputBudget taken = budget;
    if (taken == null) {
      return;
    }
    if (begun != null) {
      endWaiting(begun);
      if (begun.place != null) {
        taken.cancel(begun.place);
      }
    }
    if (held > 0) {
      long given = held;
      held = 0;
      taken.give(given);
    }
  }
}
