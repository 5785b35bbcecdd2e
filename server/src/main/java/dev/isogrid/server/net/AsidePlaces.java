package dev.isogrid.server.net;

import java.util.concurrent.atomic.AtomicInteger;

/** The limit of requests of one kind that are executed aside. Thread-safe. */
public final class AsidePlaces {
  /*
   * A connection may have at most as many places as are free. So one connection alone gets half of
   * them, and of n such connections each has 1 part of n + 1: some places are left for the next
   * one.
   */

  private final int max;
  private final AtomicInteger taken = new AtomicInteger();

  /** Makes free places. */
  public AsidePlaces(int max) {
    this.max = max;
  }

  /** Takes a place; returns false if there is none. */
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

  /** The number of taken places. */
  public int taken() {
    return taken.get();
  }
}
