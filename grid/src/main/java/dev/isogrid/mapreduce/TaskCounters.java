package dev.isogrid.mapreduce;

import dev.isogrid.api.MapReduceNodeStats;
import dev.isogrid.api.MapReduceStats;
import dev.isogrid.base.NanoClock;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The coordinator's counts of a task, from its construction on. Written by the task's thread, read
 * by any.
 */
final class TaskCounters {
  final AtomicInteger segmentsDone = new AtomicInteger();
  final AtomicInteger segmentsTotal;
  final AtomicInteger segmentsRepeated = new AtomicInteger();
  final AtomicInteger partitionsLost = new AtomicInteger();
  final Losses losses = new Losses();
  final long beginNanos;

  private final NanoClock clock;

  /**
   * The time from the beginning until everything was last mapped; 0 if that has not happened yet.
   */
  private volatile long mapNanos;

  private volatile long endNanos;

  /** Written after the time. */
  private volatile boolean isEnded;

  TaskCounters(NanoClock clock, int segments) {
    this.clock = clock;
    this.segmentsTotal = new AtomicInteger(segments);
    this.beginNanos = clock.nanoTime();
  }

  /** Notes that everything is mapped in this round. */
  void mapped() {
    mapNanos = clock.nanoTime() - beginNanos;
  }

  /** Stops the time. A second time has no effect. */
  void end() {
    if (!isEnded) {
      endNanos = clock.nanoTime();
      isEnded = true;
    }
  }

  MapReduceStats stats(List<MapReduceNodeStats> nodes) {
    long elapsed = (isEnded ? endNanos : clock.nanoTime()) - beginNanos;
    long mapping = mapNanos == 0 ? elapsed : mapNanos;
    return new MapReduceStats(
        segmentsDone.get(),
        segmentsTotal.get(),
        segmentsRepeated.get(),
        partitionsLost.get(),
        TimeUnit.NANOSECONDS.toMillis(mapping),
        TimeUnit.NANOSECONDS.toMillis(elapsed - mapping),
        nodes,
        losses.texts());
  }
}
