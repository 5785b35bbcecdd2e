package dev.isogrid.server.net;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The memory for the unfinished requests of all connections together. Requests above it wait, in
 * the order of arrival. Thread-safe; complete requests on arrival bypass it.
 */
public final class InputBudget {
  private final long bytesMax;
  private final Queue<Place> waiting = new ArrayDeque<>();
  private long bytesTaken;

  /**
   * Begins without taken bytes.
   *
   * @param bytesMax the most bytes at the same time, 1 or more
   */
  public InputBudget(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** The place of a connection in the queue. Equal to itself only. */
  private static final class Place {
    private final long bytes;
    private final Runnable granted;

    Place(long bytes, Runnable granted) {
      this.bytes = bytes;
      this.granted = granted;
    }
  }

  /** The most bytes at the same time. */
  public long bytesMax() {
    return bytesMax;
  }

  /** The taken bytes. */
  public synchronized long bytesTaken() {
    return bytesTaken;
  }

  /** Takes bytes, unless too few are free or others wait. */
  public synchronized boolean tryTake(long bytes) {
    return waiting.isEmpty() && take(bytes);
  }

  private boolean take(long bytes) {
    if (bytes > bytesMax - bytesTaken) {
      return false;
    }
    bytesTaken += bytes;
    return true;
  }

  /** Gives bytes back, and grants the waits for which there is room now. */
  public void give(long bytes) {
    synchronized (this) {
      bytesTaken -= bytes;
    }
    grant();
  }

  /**
   * Waits for bytes.
   *
   * @param granted runs once when the bytes are taken, on any thread, maybe before this returns;
   *     must not block
   * @return the place for {@link #cancel}
   */
  Object await(long bytes, Runnable granted) {
    Place place = new Place(bytes, granted);
    synchronized (this) {
      waiting.add(place);
    }
    grant();
    return place;
  }

  /**
   * Stops waiting.
   *
   * @return false if the bytes were granted before
   */
  boolean cancel(Object place) {
    boolean cancelled;
    synchronized (this) {
      cancelled = waiting.remove(place);
    }
    grant(); // those behind may have less to wait for
    return cancelled;
  }

  private void grant() {
    for (Place next = nextGranted(); next != null; next = nextGranted()) {
      next.granted.run();
    }
  }

  private synchronized @Nullable Place nextGranted() {
    Place next = waiting.peek();
    return next != null && take(next.bytes) ? waiting.remove() : null;
  }
}
