package dev.isogrid.server.net;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Counts latencies. Recording takes no lock, and allocates nothing after the first operation of a
 * thread. Thread-safe.
 */
public final class LatencyHistogram {
  /*
   * Buckets are log-linear: each power of two of nanoseconds has four of the same width, so that
   * the error of a figure is an eighth at most, from 1 ns to a minute. Threads count in stripes of
   * their own as far as possible, since sharing cells between processors is the main cost of
   * counting. A stripe has its sum and its maximum behind its buckets.
   */

  /** Buckets of a power of two, as a power of two. */
  private static final int SUB_BITS = 2;

  private static final int SUBS = 1 << SUB_BITS;

  /** The largest power of two with buckets of its own: a minute; longer times count there. */
  private static final int EXPONENT_MAX = 36;

  /** The number of buckets. */
  static final int BUCKETS = (EXPONENT_MAX - SUB_BITS + 2) << SUB_BITS;

  private static final int SUM = BUCKETS;
  private static final int MAX = BUCKETS + 1;
  private static final int CELLS = BUCKETS + 2;

  /** Stripes at most: a power of two; more would cost memory for each cache. */
  private static final int STRIPES_MAX = 8;

  private static final int STRIPES =
      Math.min(
          STRIPES_MAX, Integer.highestOneBit(2 * Runtime.getRuntime().availableProcessors() - 1));

  private final AtomicReferenceArray<AtomicLongArray> stripes = new AtomicReferenceArray<>(STRIPES);

  /** Counts an operation. */
  public void record(long nanos) {
    long counted = Math.max(0, nanos);
    AtomicLongArray cells = stripe();
    cells.getAndIncrement(bucket(counted));
    cells.getAndAdd(SUM, counted);
    if (counted > cells.getOpaque(MAX)) {
      cells.accumulateAndGet(MAX, counted, Math::max);
    }
  }

  private AtomicLongArray stripe() {
    int index = (int) Thread.currentThread().threadId() & (STRIPES - 1);
    AtomicLongArray cells = stripes.getAcquire(index);
    return cells == null ? newStripe(index) : cells;
  }

  private AtomicLongArray newStripe(int index) {
    AtomicLongArray made = new AtomicLongArray(CELLS);
    AtomicLongArray before = stripes.compareAndExchange(index, null, made);
    return before == null ? made : before;
  }

  /** The bucket of a duration that is not negative. */
  static int bucket(long nanos) {
    if (nanos < SUBS) {
      return (int) nanos;
    }
    int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
    if (exponent > EXPONENT_MAX) {
      return BUCKETS - 1;
    }
    int sub = (int) (nanos >>> (exponent - SUB_BITS)) & (SUBS - 1);
    return ((exponent - SUB_BITS + 1) << SUB_BITS) + sub;
  }

  /** The shortest duration of a bucket; {@link #BUCKETS} stands for the end of the last one. */
  static long lowerNanos(int bucket) {
    if (bucket < SUBS) {
      return bucket;
    }
    int exponent = (bucket >>> SUB_BITS) + SUB_BITS - 1;
    return (long) (SUBS + (bucket & (SUBS - 1))) << (exponent - SUB_BITS);
  }

  /** Adds the counts so far. */
  void addTo(LatencySnapshot.Sum sum) {
    for (int index = 0; index < STRIPES; index++) {
      AtomicLongArray cells = stripes.getAcquire(index);
      if (cells != null) {
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
          sum.add(bucket, cells.getOpaque(bucket));
        }
        sum.addTime(cells.getOpaque(SUM), cells.getOpaque(MAX));
      }
    }
  }

  /** Resets the counts. Concurrent operations may count or not. */
  void reset() {
    for (int index = 0; index < STRIPES; index++) {
      stripes.set(index, null);
    }
  }
}
