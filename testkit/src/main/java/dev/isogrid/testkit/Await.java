package dev.isogrid.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits until another thread or process has done something, or fails.
 *
 * <p>The wait ends as soon as the condition holds, so a long deadline costs nothing in a good run.
 * A test takes {@link #PATIENCE} unless the product itself promises a longer time.
 */
public final class Await {
  /** Time that even a heavily loaded machine needs for no step of a test. */
  public static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final long PAUSE_NANOS = 5_000_000;

  private Await() {}

  /** A condition that may throw. */
  @FunctionalInterface
  public interface Condition {
    /** Returns whether the condition holds now. */
    boolean holds() throws Exception;
  }

  /**
   * Waits until a condition holds.
   *
   * @param what the condition in words, for the message of the failure
   * @param condition called again and again, by this thread
   * @throws AssertionError if the condition does not hold within {@link #PATIENCE}, if it throws a
   *     checked exception, or if this thread is interrupted
   */
  public static void until(String what, Condition condition) {
    until(what, PATIENCE, condition);
  }

  /** Like {@link #until(String, Condition)}, with a deadline. */
  public static void until(String what, Duration deadline, Condition condition) {
    long start = System.nanoTime(); // tidy: waits for other processes too, in real time
    while (!holds(what, condition)) {
      long waited = System.nanoTime() - start; // tidy: the same
      if (waited >= deadline.toNanos()) {
        throw new AssertionError("not within " + deadline.toMillis() + " ms: " + what);
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new AssertionError("interrupted before this happened: " + what);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static boolean holds(String what, Condition condition) {
    try {
      return condition.holds();
    } catch (RuntimeException failure) {
      throw failure;
    } catch (Exception failure) {
      throw new AssertionError("failed while waiting for: " + what, failure);
    }
  }
}
