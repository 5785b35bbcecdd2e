package dev.isogrid.cluster;

/**
 * How late signs of life of one member have come. Not thread-safe.
 *
 * <p>A member whose processors are busy sends late without being dead. The lateness of the last
 * seconds shows how late it may be again. The idea is that of accrual failure detectors [1],
 * without a distribution: a few gaps are too few for one.
 *
 * <p>[1] N. Hayashibara and others, The phi accrual failure detector, SRDS 2004,
 * https://doi.org/10.1109/RELDIS.2004.1353004
 */
final class Lateness {
  /** A sign of life is late if this many heartbeats were due since the one before. */
  private static final int DUE_MIN = 2;

  /** After this time a lateness counts half. */
  private static final long HALVED_AFTER_NANOS = 4_000_000_000L;

  /** After so many halvings nothing is left that matters. */
  private static final long HALVINGS_MAX = 16;

  private final long heartbeatNanos;
  private long lateNanos;
  private long sinceNanos;

  Lateness(ClusterTimes times) {
    this.heartbeatNanos = times.heartbeat();
  }

  /**
   * Takes note of a sign of life.
   *
   * @param gapNanos the time since the one before
   */
  void add(long gapNanos, long nowNanos) {
    long late = gapNanos - DUE_MIN * heartbeatNanos;
    if (late > 0 && late >= nanos(nowNanos)) {
      lateNanos = late;
      sinceNanos = nowNanos;
    }
  }

  /** The greatest lateness, the less the longer ago it was. */
  long nanos(long nowNanos) {
    long halvings = (nowNanos - sinceNanos) / HALVED_AFTER_NANOS;
    return lateNanos >> Math.clamp(halvings, 0, HALVINGS_MAX);
  }
}
