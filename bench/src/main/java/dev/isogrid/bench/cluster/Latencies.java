package dev.isogrid.bench.cluster;

/** Counts latencies in classes that are 1/32 of their value wide. Not thread-safe. */
final class Latencies {
  private static final int CLASSES_A_DOUBLING = 32;
  private static final int CLASS_BITS = 5;

  private final long[] counts = new long[Long.SIZE * CLASSES_A_DOUBLING];
  private long total;

  /** Counts a latency. */
  void add(long nanos) {
    counts[classOf(Math.max(nanos, 1))]++;
    total++;
  }

  /** Adds the counts of another object. */
  void addAll(Latencies other) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] += other.counts[i];
    }
    total += other.total;
  }

  private static int classOf(long nanos) {
    int doublings = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
    int shift = Math.max(doublings - CLASS_BITS, 0);
    return shift * CLASSES_A_DOUBLING + (int) (nanos >>> shift);
  }

  /** The number of counted latencies. */
  long count() {
    return total;
  }

  /** The latency that a share of the operations, from 0 to 1, did not exceed; in nanoseconds. */
  long quantile(double share) {
    long left = (long) Math.ceil(total * share);
    for (int i = 0; i < counts.length; i++) {
      left -= counts[i];
      if (left <= 0 && total > 0) {
        return largestOf(i);
      }
    }
    return 0;
  }

  private static long largestOf(int index) {
    if (index < 2 * CLASSES_A_DOUBLING) {
      return index;
    }
    int shift = index / CLASSES_A_DOUBLING - 1;
    long first = (long) (index - shift * CLASSES_A_DOUBLING) << shift;
    return first + (1L << shift) - 1;
  }
}
