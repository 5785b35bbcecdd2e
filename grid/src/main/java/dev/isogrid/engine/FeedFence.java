package dev.isogrid.engine;

import dev.isogrid.base.NanoClock;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The places of all segments of a cache that listeners are to have reached. Awaited by any thread;
 * else for the thread that drives the node.
 */
final class FeedFence {
  private static final long UNKNOWN = -1;

  private final long number;
  private final BitSet open;
  private final long[] targets;
  private final CountDownLatch done = new CountDownLatch(1);

  /**
   * A fence whose places are not known yet.
   *
   * @param number from 1
   */
  FeedFence(long number, int segments) {
    this.number = number;
    this.targets = new long[segments];
    this.open = new BitSet(segments);
    open.set(0, segments);
    Arrays.fill(targets, UNKNOWN);
  }

  long number() {
    return number;
  }

  /** The next segment from one on whose place is not known or not reached, or -1. */
  int nextOpen(int from) {
    return open.nextSetBit(from);
  }

  boolean isKnown(int index) {
    return targets[index] != UNKNOWN;
  }

  /** Says which place is to be reached. */
  void target(int index, long seq) {
    if (targets[index] == UNKNOWN) {
      targets[index] = seq;
    }
  }

  /** Says which place is reached. */
  void reached(int index, long seq) {
    if (targets[index] != UNKNOWN && seq >= targets[index]) {
      pass(index);
    }
  }

  /** Says that nothing is to be waited for in a segment. */
  void pass(int index) {
    open.clear(index);
    if (open.isEmpty()) {
      done.countDown();
    }
  }

  boolean isDone() {
    return open.isEmpty();
  }

  /** Waits until all places are reached; false if that takes too long. Any thread. */
  boolean await(NanoClock clock, long timeoutMillis) throws InterruptedException {
    return clock.await(done, TimeUnit.MILLISECONDS.toNanos(timeoutMillis));
  }
}
