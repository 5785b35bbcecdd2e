package dev.isogrid.api;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A counter whose changes return its value. Linearizable: each operation takes effect at one moment
 * between call and return, and at most once. Thread-safe.
 *
 * <p>Operations fail with {@link InvalidRequestException} if the counter is not defined any more,
 * otherwise as in {@link Counters}. Those with {@code Async} in their names mean the same as those
 * without it and return a future. In a grid of one node it is complete when the call returns; else
 * a thread of the grid completes it, so run slow work with an executor of your own.
 */
public interface StrongCounter {
  /** The counter's name. */
  String name();

  /** How the counter was defined when this object was made. */
  CounterConfig config();

  /** The value. */
  long value();

  /**
   * Adds 1.
   *
   * @return the value then
   * @throws CounterBoundException if the value was the upper bound; it stays that
   */
  default long incrementAndGet() {
    return addAndGet(1);
  }

  /**
   * Subtracts 1.
   *
   * @return the value then
   * @throws CounterBoundException if the value was the lower bound; it stays that
   */
  default long decrementAndGet() {
    return addAndGet(-1);
  }

  /**
   * Adds a number, positive or negative.
   *
   * @return the value then
   * @throws CounterBoundException if the sum is beyond a bound, or no long; the value is the bound
   *     now
   */
  long addAndGet(long delta);

  /**
   * Sets a value if the current one is another.
   *
   * @return whether it was set
   * @throws CounterBoundException if it is out of bounds and would have been set
   */
  default boolean compareAndSet(long expect, long update) {
    return compareAndSwap(expect, update) == expect;
  }

  /**
   * Sets a value if the current one is another.
   *
   * @return the value before; the update was made if and only if that is the expected one
   * @throws CounterBoundException if it is out of bounds and would have been set
   */
  long compareAndSwap(long expect, long update);

  /**
   * Sets a value.
   *
   * @return the value before
   * @throws CounterBoundException if it is out of bounds; nothing changes
   */
  long getAndSet(long value);

  /** Sets the initial value. */
  void reset();

  /** Registers a listener for the changes from now on; close the registration to end it. */
  Subscription addListener(CounterListener listener);

  /** See {@link #value}. */
  CompletableFuture<Long> valueAsync();

  /** See {@link #incrementAndGet}. */
  default CompletableFuture<Long> incrementAndGetAsync() {
    return addAndGetAsync(1);
  }

  /** See {@link #decrementAndGet}. */
  default CompletableFuture<Long> decrementAndGetAsync() {
    return addAndGetAsync(-1);
  }

  /** See {@link #addAndGet}. */
  CompletableFuture<Long> addAndGetAsync(long delta);

  /** See {@link #compareAndSet}. */
  CompletableFuture<Boolean> compareAndSetAsync(long expect, long update);

  /** See {@link #compareAndSwap}. */
  CompletableFuture<Long> compareAndSwapAsync(long expect, long update);

  /** See {@link #getAndSet}. */
  CompletableFuture<Long> getAndSetAsync(long value);

  /** See {@link #reset}. */
  CompletableFuture<@Nullable Void> resetAsync();
}
