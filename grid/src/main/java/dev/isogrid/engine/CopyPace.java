package dev.isogrid.engine;

import dev.isogrid.topology.Pauses;

/** Says when the next part of a copy may be sent. Not thread-safe; pure but for the time given. */
final class CopyPace {
  /*
   * A bucket of bytes that fills at a rate; a part may be sent while there is something in it, and
   * may overdraw it. The rate follows how long this node's operations take, as TCP's window follows
   * losses: in each window of time in which more than one of 100 was too slow it becomes half of
   * what was really sent, else a quarter more. Half of what was sent, not of the rate: where the
   * receiver or the network is the limit, the rate is far above that, and halving it would change
   * nothing for a long time.
   *
   * What operations take depends on more than copies. So there is a least rate: the copies end.
   */

  /** The least rate, whatever operations take, unless a lower one is configured: bytes a second. */
  static final long RATE_MIN = 4 << 20;

  /** Above this rate nothing is counted. */
  private static final double RATE_FREE = 8e9;

  private static final long WINDOW_NANOS = 100_000_000L;

  /** After so long without copies, what was counted says nothing any more. */
  private static final long IDLE_NANOS = 1_000_000_000L;

  /** A window with fewer operations says nothing of one in 100. */
  private static final int OPERATIONS_MIN = 20;

  private static final int SLOW_PART = 100;
  private static final double GROWTH = 1.25;

  /** The most that may be saved for later, as a part of a second. */
  private static final double BURST = 0.05;

  /** The most that a part may have taken in advance when another speed begins, in seconds. */
  private static final double DEBT = 1;

  private final CopyLimits limits;

  /** The bytes a second that copies may have: the cluster's number, or that of {@link #limits}. */
  private long bytesPerSecondMax;

  private double rate;
  private double tokens;
  private long filledNanos;
  private long windowNanos;
  private long windowBytes;
  private long operations;
  private long slow;
  private boolean isStarted;

  CopyPace(CopyLimits limits) {
    this.limits = limits;
    this.bytesPerSecondMax = limits.bytesPerSecondMax();
    this.rate = (double) bytesPerSecondMax;
  }

  /**
   * Sets the greatest speed, in place of the one that this began with.
   *
   * @param wanted bytes a second, {@link Pauses#AS_CONFIGURED} or {@link Long#MAX_VALUE}
   */
  void limit(long wanted) {
    long max = wanted == Pauses.AS_CONFIGURED ? limits.bytesPerSecondMax() : wanted;
    if (max != bytesPerSecondMax) {
      bytesPerSecondMax = max;
      rate = (double) max;
      tokens = Math.max(tokens, -rate * DEBT); // of a faster time
    }
  }

  /** Whether the next part may be sent now. */
  boolean maySend(long nowNanos) {
    if (!isStarted || nowNanos - filledNanos >= IDLE_NANOS) {
      isStarted = true;
      filledNanos = nowNanos;
      tokens = Math.max(tokens, 0);
      beginWindow(nowNanos);
    }
    if (nowNanos - windowNanos >= WINDOW_NANOS) {
      judge(nowNanos);
    }
    double filled = tokens + rate * ((double) (nowNanos - filledNanos) / 1e9);
    tokens = Math.min(filled, Math.max(1, rate * BURST));
    filledNanos = nowNanos;
    return rate >= RATE_FREE || tokens > 0;
  }

  /** A part was sent. */
  void sent(long bytes) {
    windowBytes += bytes;
    if (rate < RATE_FREE) {
      tokens -= bytes;
    }
  }

  /** An operation of this node was done. */
  void operationTook(long nanos) {
    operations++;
    slow += nanos > limits.latencyMaxNanos() ? 1 : 0;
  }

  /** Bytes a second that may be sent now. */
  double rate() {
    return rate;
  }

  private void judge(long nowNanos) {
    boolean isTooSlow = operations >= OPERATIONS_MIN && slow * SLOW_PART > operations;
    if (isTooSlow) {
      double seconds = (double) (nowNanos - windowNanos) / 1e9;
      double least = (double) Math.min(RATE_MIN, bytesPerSecondMax);
      rate = Math.max(least, Math.min(rate, (double) windowBytes / seconds) / 2);
    } else {
      rate = Math.min((double) bytesPerSecondMax, rate * GROWTH);
    }
    beginWindow(nowNanos);
  }

  private void beginWindow(long nowNanos) {
    windowNanos = nowNanos;
    windowBytes = 0;
    operations = 0;
    slow = 0;
  }
}
