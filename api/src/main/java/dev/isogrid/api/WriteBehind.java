package dev.isogrid.api;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * The settings of a cache that writes to its store in the background: a write waits for memory
 * only, and the store gets it soon afterwards. The store gets the changes of a key in their order;
 * if several wait, it gets only the last one. A batch that fails is repeated, after pauses of 100
 * ms to 30 s.
 *
 * @param queueMax the most keys whose changes wait for the store, 1 or more
 * @param batchMax the most changes that the store gets together, 1 or more
 * @param timeoutMillis how long a write waits for room in the queue, in milliseconds, 1 or more; it
 *     is refused then
 */
public record WriteBehind(int queueMax, int batchMax, long timeoutMillis) {
  /** Up to 10,000 keys, 100 at a time; a write waits for room 10 s at most. */
  public static final WriteBehind DEFAULT = new WriteBehind(10_000, 100, 10_000);

  /** Checks the values. */
  public WriteBehind {
    require("modification-queue-size", queueMax);
    require("max-batch-size", batchMax);
    require("timeout", timeoutMillis);
  }

  private static void require(String name, long value) {
    if (value < 1) {
      throw new InvalidConfigurationException(
          "invalid write-behind: %s=%d; allowed is 1 or more".formatted(name, value));
    }
  }

  /** The same with another bound of the queue. */
  public WriteBehind queueMax(int keys) {
    return new WriteBehind(keys, batchMax, timeoutMillis);
  }

  /** The same with other batches. */
  public WriteBehind batchMax(int changes) {
    return new WriteBehind(queueMax, changes, timeoutMillis);
  }

  /** The same with another limit on the time that a write waits for room. */
  public WriteBehind timeout(Duration timeout) {
    return new WriteBehind(
        queueMax,
        batchMax,
        TimeUnit.MILLISECONDS.convert(Objects.requireNonNull(timeout, "timeout")));
  }
}
