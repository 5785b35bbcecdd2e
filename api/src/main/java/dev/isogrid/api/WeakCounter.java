package dev.isogrid.api;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A counter whose changes return nothing. Each change takes effect at most once, and the next
 * {@link #value} includes all changes that have returned. Thread-safe. Failures and {@code Async}
 * are as in {@link StrongCounter}.
 */
public interface WeakCounter {
  /** The counter's name. */
  String name();

  /** How the counter was defined when this object was made. */
  CounterConfig config();

  /** The value. */
  long value();

  /** Adds 1. */
  default void increment() {
    add(1);
  }

  /** Subtracts 1. */
  default void decrement() {
    add(-1);
  }

  /**
   * Adds a number, positive or negative.
   *
   * @throws CounterBoundException if the sum is no long; the value is the greatest or smallest then
   */
  void add(long delta);

  /** Sets the initial value. */
  void reset();

  /** Registers a listener for the changes from now on; close the registration to end it. */
  Subscription addListener(CounterListener listener);

  /** See {@link #value}. */
  CompletableFuture<Long> valueAsync();

  /** See {@link #increment}. */
  default CompletableFuture<@Nullable Void> incrementAsync() {
    return addAsync(1);
  }

  /** See {@link #decrement}. */
  default CompletableFuture<@Nullable Void> decrementAsync() {
    return addAsync(-1);
  }

  /** See {@link #add}. */
  CompletableFuture<@Nullable Void> addAsync(long delta);

  /** See {@link #reset}. */
  CompletableFuture<@Nullable Void> resetAsync();
}
