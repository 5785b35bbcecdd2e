package dev.isogrid.stream;

import java.util.BitSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The settings of a stream's evaluation. For one thread. */
final class StreamControls {
  /** The default time-out of silent nodes. */
  private static final long TIMEOUT_MILLIS = 60_000;

  /** The wanted segments; null for all. */
  @Nullable BitSet segments;

  /** The wanted keys; null for all. */
  @Nullable Set<?> keys;

  int batchElements;
  long timeoutMillis = TIMEOUT_MILLIS;
  boolean isSequentialOverNodes;
  boolean isParallel;
  boolean isRehashAware = true;

  /** Receives finished segments; null for none. */
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
