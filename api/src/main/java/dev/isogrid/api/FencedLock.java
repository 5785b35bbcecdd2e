package dev.isogrid.api;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A lock that one thread of one node of the grid has at a time. Thread-safe; not reentrant; waiting
 * threads get it in no particular order.
 *
 * <p>Each holder gets a <em>fence</em>, a number that is greater than all before it. A resource
 * that gets the fence with each request, and refuses smaller ones than it has seen, is safe from a
 * holder that does not know yet that its lease is over.
 */
public interface FencedLock {
  /** The lock's name. */
  String name();

  /**
   * Takes the lock; waits until it is free.
   *
   * @return the fence, 1 or more
   * @throws InvalidRequestException if the calling thread has it already
   * @throws RetryableGridException if the cluster does not answer, or the thread is interrupted;
   *     the thread has not got the lock
   */
  long lock();

  /**
   * Takes the lock if it is free.
   *
   * @return the fence, or 0 if another holder has it
   * @throws InvalidRequestException if the calling thread has it already
   * @throws RetryableGridException as {@link #lock()}
   */
  default long tryLock() {
    return tryLock(0, TimeUnit.MILLISECONDS);
  }

  /**
   * Takes the lock; waits until it is free, but not for ever.
   *
   * @param time how long to wait at most
   * @return the fence, or 0 if somebody else had it all the time
   * @throws InvalidRequestException if the calling thread has it already
   * @throws RetryableGridException as {@link #lock()}
   */
  long tryLock(long time, TimeUnit unit);

  /** As {@link #tryLock(long, TimeUnit)}. */
  default long tryLock(Duration time) {
    return tryLock(
        TimeUnit.NANOSECONDS.convert(Objects.requireNonNull(time, "time")), TimeUnit.NANOSECONDS);
  }

  /**
   * Gives the lock back. If the cluster does not answer, that is done in the background as soon as
   * it does.
   *
   * @throws InvalidRequestException if the calling thread has not got it
   */
  void unlock();

  /** Whether it has a holder. */
  boolean isLocked();

  /** Whether the calling thread has it, as far as is known: its lease must not be over. */
  boolean isLockedByMe();

  /**
   * The fence of the calling thread.
   *
   * @throws InvalidRequestException if the thread has not got the lock, or its lease is over
   */
  long fence();

  /**
   * Takes the lock from its holder without notice. The next holder's fence is greater.
   *
   * @return whether somebody had it
   */
  boolean forceUnlock();
}
