package dev.isogrid.mapreduce;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.NanoClock;
import java.util.concurrent.TimeUnit;

/** Notices that a task can't continue, because some segments have no owner. For one thread. */
final class StallWatch {
  /** The longest time in which segments may be without an owner while nothing else progresses. */
  private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** The time without a missing owner after which the next one counts as a new problem. */
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

  /** Notes progress of the task. */
  void moved() {
    movedNanos = clock.nanoTime();
  }

  /**
   * Notes that some segments have no owner.
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
