package dev.isogrid.node;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.NanoClock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** Lets threads wait for what topologies bring about. Thread-safe. */
final class TopologyWait {
  private final NanoClock clock;
  private final String nodeName;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** How many signals there were. Guarded by the lock. */
  private long signals;

  /** Begins; the name is for messages. */
  TopologyWait(NanoClock clock, String nodeName) {
    this.clock = clock;
    this.nodeName = nodeName;
  }

  /** There is a new topology, or this node has done later what one wants. */
  void signal() {
    lock.lock();
    try {
      signals++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until something holds that follows from topologies.
   *
   * @param condition called without a lock, after each signal and at the end
   * @return whether it holds
   * @throws RetryableGridException if the thread is interrupted
   */
  boolean await(BooleanSupplier condition, long timeoutMillis) {
    long restNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    while (true) {
      long seen = seen();
      if (condition.getAsBoolean()) {
        return true;
      }
      lock.lock();
      try {
        while (signals == seen && restNanos > 0) {
          restNanos = clock.await(changed, restNanos);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new RetryableGridException(
            "interrupted while waiting for the cluster: node=%s; try again".formatted(nodeName));
      } finally {
        lock.unlock();
      }
      if (restNanos <= 0) {
        return condition.getAsBoolean();
      }
    }
  }

  private long seen() {
    lock.lock();
    try {
      return signals;
    } finally {
      lock.unlock();
    }
  }
}
