package dev.isogrid.server.net;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.lang.System.Logger.Level;
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

  private static final System.Logger log = System.getLogger(InputShare.class.getName());

  /** How often a connection that waits looks for slow ones that hold memory. */
  private static final int RELIEF_SECONDS = 2;

  private final EventExecutor executor;
  private final @Nullable String client;
  private final Runnable granted;
  private final Runnable refused;
  private final InputBudget.Holder holder;

  private @Nullable InputBudget budget;
  private long held;
  private @Nullable Waiting waiting;
  private boolean closed;

  /**
   * Begins without bytes.
   *
   * @param executor the event loop of the connection
   * @param client the network of the client, which has a share of the budget; null if unknown
   * @param granted runs on it when a call of {@link #hold} that returned false would succeed now
   * @param refused runs on it when the wait was too long
   * @param tooSlow runs on it when others wait for memory, and the request here arrives too slowly;
   *     must give the bytes back
   */
  public InputShare(
      EventExecutor executor,
      @Nullable String client,
      Runnable granted,
      Runnable refused,
      Runnable tooSlow) {
    this.executor = executor;
    this.client = client;
    this.granted = granted;
    this.refused = refused;
    this.holder = new InputBudget.Holder(() -> cutOffAnywhere(tooSlow));
  }

  /** Any thread. */
  private void cutOffAnywhere(Runnable tooSlow) {
    try {
      executor.execute(() -> {
        if (!closed && held > 0) {
          tooSlow.run();
        }
      });
    } catch (RejectedExecutionException ended) {
      log.log(Level.DEBUG, "an event loop has ended, and its connections with it", ended);
    }
  }

  /** A wait for more. */
  private static final class Waiting {
    private final long more;
    private @Nullable Object place;
    private @Nullable Future<?> timeout;
    private @Nullable Future<?> relief;

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
        long given = held;
        held = 0;
        note(taken);
        taken.give(client, given);
      }
      taken = from;
      budget = from;
    }
    long more = bytes - held;
    if (more < 0) {
      held = bytes;
      note(taken);
      taken.give(client, -more);
    } else if (more > 0) {
      if (!taken.tryTake(client, more)) {
        return false;
      }
      held = bytes;
      note(taken);
    }
    return true;
  }

  private void note(InputBudget taken) {
    taken.note(holder, held, executor.ticker().nanoTime());
  }

  private void await(InputBudget taken, long bytes, long more) {
    Waiting begun = new Waiting(more);
    waiting = begun;
    boolean neverFits = bytes > taken.bytesMax();
    begun.timeout =
        executor.schedule(() -> late(begun), neverFits ? 0 : WAIT_SECONDS, TimeUnit.SECONDS);
    if (!neverFits) {
      begun.place = taken.await(client, more, () -> grantedAnywhere(taken, begun));
      begun.relief =
          executor.scheduleWithFixedDelay(
              () -> taken.relieve(executor.ticker().nanoTime()),
              0,
              RELIEF_SECONDS,
              TimeUnit.SECONDS);
    }
  }

  /** Any thread. */
  private void grantedAnywhere(InputBudget taken, Waiting begun) {
    try {
      executor.execute(() -> grantedHere(taken, begun));
    } catch (RejectedExecutionException _) {
      taken.give(client, begun.more); // the event loop has ended, and the connection with it
    }
  }

  private void grantedHere(InputBudget taken, Waiting begun) {
    if (closed) {
      taken.give(client, begun.more);
      return;
    }
    held += begun.more;
    note(taken);
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
    Future<?> relief = begun.relief;
    if (relief != null) {
      relief.cancel(false);
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
      note(taken);
      taken.give(client, given);
    }
  }
}
