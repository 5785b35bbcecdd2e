package dev.isogrid.base;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;

/**
 * A clock that never runs backwards; its zero has no meaning. It also measures waits with a
 * deadline, so that a simulated clock decides when they end. Thread-safe.
 */
@FunctionalInterface
public interface NanoClock {
  /** The time in nanoseconds; only differences have a meaning. */
  long nanoTime();

  /**
   * Waits until a latch is open.
   *
   * @param timeoutNanos the longest wait
   * @return whether it is open
   * @throws InterruptedException if interrupted
   */
  default boolean await(CountDownLatch latch, long timeoutNanos) throws InterruptedException {
    return latch.await(timeoutNanos, TimeUnit.NANOSECONDS);
  }

  /**
   * Waits for a signal, as {@link Condition#awaitNanos} does.
   *
   * @param condition whose lock this thread holds
   * @param timeoutNanos the longest wait
   * @return the rest of that time; 0 or less if it is over
   * @throws InterruptedException if interrupted
   */
  @SuppressWarnings("WaitNotInLoop") // callers loop, as with awaitNanos itself
  default long await(Condition condition, long timeoutNanos) throws InterruptedException {
    return condition.awaitNanos(timeoutNanos);
  }

  /** Lets time pass; may return early, and does so at once if this thread is interrupted. */
  default void pause(long nanos) {
    LockSupport.parkNanos(nanos);
  }
}
