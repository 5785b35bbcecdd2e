package dev.isogrid.server.net;

/** A snapshot of latencies. Immutable. */
public final class LatencySnapshot {
  private final long[] counts;
  private final long count;
  private final long sumNanos;
  private final long maxNanos;

  private LatencySnapshot(Sum sum) {
    this.counts = sum.counts.clone();
    this.sumNanos = sum.sumNanos;
    this.maxNanos = sum.maxNanos;
    long all = 0;
    for (long each : counts) {
      all += each;
    }
    this.count = all;
  }

  /** Adds histograms up. Not thread-safe. */
  static final class Sum {
    private final long[] counts = new long[LatencyHistogram.BUCKETS];
    private long sumNanos;
    private long maxNanos;

    void add(int bucket, long count) {
      counts[bucket] += count;
    }

    void addTime(long nanos, long longestNanos) {
      sumNanos += nanos;
      maxNanos = Math.max(maxNanos, longestNanos);
    }

    LatencySnapshot snapshot() {
      return new LatencySnapshot(this);
    }
  }

  /** The number of operations. */
  public long count() {
    return count;
  }

  /** The time of all operations together. */
  public long sumNanos() {
    return sumNanos;
  }

  /** The time of the longest operation; 0 if there was none. */
  public long maxNanos() {
    return maxNanos;
  }

  /** The mean; 0 if there was no operation. */
  public long meanNanos() {
    return count == 0 ? 0 : sumNanos / count;
  }

  /**
   * The time within which a share of the operations ended, with an error of an eighth at most; 0 if
   * there was none.
   *
   * @param share 0 to 1
   */
  public long percentileNanos(double share) {
    long wanted = Math.max(1, (long) Math.ceil(share * count));
    long before = 0;
    for (int bucket = 0; bucket < counts.length; bucket++) {
      long within = counts[bucket];
      if (within > 0 && before + within >= wanted) {
        long lower = LatencyHistogram.lowerNanos(bucket);
        long width = LatencyHistogram.lowerNanos(bucket + 1) - lower;
        return Math.min(maxNanos, lower + width * (wanted - before) / within);
      }
      before += within;
    }
    return maxNanos;
  }

  /**
   * The number of operations that took less than a time.
   *
   * @param nanos a power of two, which is the beginning of a bucket
   */
  public long countBelow(long nanos) {
    int end = LatencyHistogram.bucket(nanos);
    long below = 0;
    for (int bucket = 0; bucket < end; bucket++) {
      below += counts[bucket];
    }
    return below;
  }
}
