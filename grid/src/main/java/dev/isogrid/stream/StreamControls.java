package dev.isogrid.stream;

import java.util.BitSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How a stream is to be evaluated. For one thread. */
final class StreamControls {
  /** How long nodes may be silent, unless said otherwise. */
  private static final long TIMEOUT_MILLIS = 60_000;

  /** The segments that are wanted; null for all. */
  @Nullable BitSet segments;

  /** The keys that are wanted; null for all. */
  @Nullable Set<?> keys;

  int batchElements;
  long timeoutMillis = TIMEOUT_MILLIS;
  boolean isSequentialOverNodes;
  boolean isParallel;
  boolean isRehashAware = true;

  /** Told of segments that are done; null for nobody. */
  @Nullable Consumer<int[]> listener;

  private static final int BATCH_MAX = 1_000_000;

  static int checkBatch(int elements) {
    if (elements < 1 || elements > BATCH_MAX) {
      throw new IllegalArgumentException(
          "batch not valid: elements=%d; give 1 to %d".formatted(elements, BATCH_MAX));
    }
    return elements;
  }

  static long checkTimeout(long millis) {
    if (millis < 1) {
      throw new IllegalArgumentException(
          "time-out not valid: millis=%d; give a millisecond or more".formatted(millis));
    }
    return millis;
  }

  static Long checkCount(long count) {
    if (count < 0) {
      throw new IllegalArgumentException(Long.toString(count));
    }
    return count;
  }
}
