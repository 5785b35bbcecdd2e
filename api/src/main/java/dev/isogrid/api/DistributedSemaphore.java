package dev.isogrid.api;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A number of permits that the threads of all nodes of the grid share. Thread-safe; waiting threads
 * are served in no order. Permits belong to a node: any thread of it may give them back.
 */
public interface DistributedSemaphore {
  /** The semaphore's name. */
  String name();

  /**
   * Takes permits; waits until there are enough.
   *
   * @param count 1 or more
   * @throws InvalidRequestException if the semaphore never has so many
   * @throws RetryableGridException if the cluster does not answer, or the thread is interrupted; no
   *     permit was taken
   */
  void acquire(int count);

  /** As {@link #acquire(int)}, with one permit. */
  default void acquire() {
    acquire(1);
  }

  /** As {@link #tryAcquire(int, long, TimeUnit)}, one permit, without waiting. */
  default boolean tryAcquire() {
    return tryAcquire(1, 0, TimeUnit.MILLISECONDS);
  }

  /**
   * Takes permits; waits until there are enough, but not for ever.
   *
   * @param count 1 or more
   * @param time how long to wait at most
   * @return whether they were taken
   * @throws InvalidRequestException as {@link #acquire(int)}
   * @throws RetryableGridException as {@link #acquire(int)}
   */
  boolean tryAcquire(int count, long time, TimeUnit unit);

  /** As {@link #tryAcquire(int, long, TimeUnit)}. */
  default boolean tryAcquire(int count, Duration time) {
    return tryAcquire(
        count,
        TimeUnit.NANOSECONDS.convert(Objects.requireNonNull(time, "time")),
        TimeUnit.NANOSECONDS);
  }

  /**
   * Gives permits back. If the cluster does not answer, that is done in the background as soon as
   * it does.
   *
   * @param count 1 or more
   * @throws InvalidRequestException if the node has not got so many; none is given back then
   */
  void release(int count);

  /** As {@link #release(int)}, with one permit. */
  default void release() {
    release(1);
  }

  /** The number of permits that nobody has. */
  int availablePermits();
}
