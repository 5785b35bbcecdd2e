package dev.isogrid.store;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much a bounded container holds, over all its segments; an unbounded one counts nothing, so
 * that its writers share no memory. Thread-safe.
 */
public final class Occupancy {
  private final boolean counting;
  private final boolean measuring;
  private final boolean decidesAlone;
  private final AtomicLong count = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();

  /** The bytes of pages; counted always, since pages come and go seldom. */
  private final AtomicLong pageBytes = new AtomicLong();

  /**
   * Begins at zero.
   *
   * @param counting whether to count at all
   */
  public Occupancy(boolean counting) {
    this(counting, false);
  }

  /**
   * Begins at zero.
   *
   * @param counting whether to count at all
   * @param measuring whether the bytes of keys and values that are objects count
   */
  public Occupancy(boolean counting, boolean measuring) {
    this(counting, measuring, false);
  }

  /**
   * Begins at zero.
   *
   * @param counting whether to count at all
   * @param measuring whether the bytes of keys and values that are objects count
   * @param decidesAlone whether each write can be refused when it is stored: no other node has
   *     decided on it
   */
  public Occupancy(boolean counting, boolean measuring, boolean decidesAlone) {
    this.counting = counting;
    this.measuring = measuring;
    this.decidesAlone = decidesAlone;
  }

  /** Whether each write can be refused when it is stored. */
  boolean decidesAlone() {
    return decidesAlone;
  }

  /** The bytes of pages off the heap, also if this does not count. */
  long pageBytes() {
    return pageBytes.get();
  }

  /** Whether the bytes of keys and values that are objects count. */
  boolean isMeasuring() {
    return measuring;
  }

  /** Entries, expired ones that nobody noticed yet included; 0 if this does not count. */
  public long count() {
    return count.get();
  }

  /** Allocated bytes, as {@code MemoryUse} counts them; 0 if this does not count. */
  public long bytes() {
    return bytes.get();
  }

  /** Counts so many entries more, unless there would be more than allowed. */
  boolean tryClaim(int entries, long maxCount) {
    long seen = count.get();
    while (seen + entries <= maxCount) {
      long witness = count.compareAndExchange(seen, seen + entries);
      if (witness == seen) {
        return true;
      }
      seen = witness;
    }
    return false;
  }

  void countChanged(int delta) {
    if (counting && delta != 0) {
      count.addAndGet(delta);
    }
  }

  /** Counts the bytes of a page that comes or goes. */
  void pageChanged(long delta) {
    pageBytes.addAndGet(delta);
    bytesChanged(delta);
  }

  void bytesChanged(long delta) {
    if (counting && delta != 0) {
      bytes.addAndGet(delta);
    }
  }
}
