package dev.isogrid.server.net;

import java.util.concurrent.atomic.AtomicInteger;

/** The places for requests of one kind that are executed aside. Thread-safe. */
public final class AsidePlaces {
  /*
   * A connection may have as many places as are free and no more. So one that takes all it can get
   * has half of them, and of n such connections each has 1 part of n + 1: there are places left for
   * the next one.
   */

  private final int max;
  private final AtomicInteger taken = new AtomicInteger();

  /** Makes places that nobody has. */
  public AsidePlaces(int max) {
    this.max = max;
  }

  /** Takes a place; false if there is none. */
  public boolean tryTake() {
    if (taken.incrementAndGet() <= max) {
      return true;
    }
    taken.decrementAndGet();
    return false;
  }

  /** Gives a place back. */
  public void give() {
    taken.decrementAndGet();
  }

  /** Whether a connection that has some places may have one more. */
  public boolean hasShare(int own) {
    return own < max - taken.get();
  }

  /** The number of places. */
  public int max() {
    return max;
  }

  /** The places that are taken. */
  public int taken() {
    return taken.get();
  }
}
