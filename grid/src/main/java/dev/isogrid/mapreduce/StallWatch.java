package dev.isogrid.mapreduce;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.NanoClock;
import java.util.concurrent.TimeUnit;

/** Notices that a task can't go on, since no node answers for some segments. For one thread. */
final class StallWatch {
  /** How long segments may be without a node that answers for them, while nothing else goes on. */
  private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** When nobody missed a node for so long, it is another matter when somebody does. */
  private static final long MISSED_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final NanoClock clock;
  private final String cache;
  private long movedNanos;
  private long missedNanos;

  /** Begins now. */
  StallWatch(NanoClock clock, String cache) {
    this.clock = clock;
    this.cache = cache;
    this.movedNanos = clock.nanoTime();
    this.missedNanos = movedNanos;
  }

  /** The task went on. */
  void moved() {
    movedNanos = clock.nanoTime();
  }

  /**
   * Some segments have no node that answers for them.
   *
   * @param who the node that does not answer
   * @throws RetryableGridException if that goes on for too long
   */
  void missed(String who) {
    long now = clock.nanoTime();
    if (now - missedNanos > MISSED_NANOS) {
      movedNanos = now;
    }
    missedNanos = now;
    if (now - movedNanos > STALLED_NANOS) {
      throw new RetryableGridException(
          "map/reduce can't go on: cache=%s, %s answers for its segments; try again later"
              .formatted(cache, who));
    }
  }
}
