package dev.isogrid.cluster;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounds what is kept for a node that confirms nothing. Thread-safe, never blocks for long.
 *
 * <p>JGroups keeps what it sent until the other side has confirmed it. Its flow control is not for
 * messages that must not wait, nor for nodes that are in no view: so to a node that stands still
 * there would be no end to them. They are counted in rounds of {@link #ROUND_BYTES}: one round
 * begins when all that was sent before the last one is confirmed, so at most two are kept.
 */
final class SendBudget {
  /** More than there is on its way to a node that lives. */
  static final long ROUND_BYTES = 16 << 20;

  /** What JGroups keeps beside the bytes of a message: measured. */
  static final int OVERHEAD_BYTES = 250;

  /** The state of the messages to the node, which are numbered. */
  interface Window {
    /** The number of the last message that was sent. */
    long sent();

    /** The number of the last one that was confirmed, as were all before it. */
    long confirmed();
  }

  private final Window window;
  private final AtomicLong roundBytes = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  // guarded by: lock
  private long sentBefore;

  SendBudget(Window window) {
    this.window = window;
    this.sentBefore = window.sent();
  }

  /** Counts a message, or refuses if too many are not confirmed. */
  boolean trySpend(int bytes) {
    long cost = (long) bytes + OVERHEAD_BYTES;
    return roundBytes.addAndGet(cost) <= ROUND_BYTES || tryRound(cost);
  }

  private boolean tryRound(long cost) {
    lock.lock();
    try {
      // Another thread may have begun a round just now.
      if (roundBytes.get() <= ROUND_BYTES) {
        return true;
      }
      if (window.confirmed() < sentBefore) {
        roundBytes.addAndGet(-cost);
        return false;
      }
      sentBefore = window.sent();
      roundBytes.set(cost);
      return true;
    } finally {
      lock.unlock();
    }
  }
}
