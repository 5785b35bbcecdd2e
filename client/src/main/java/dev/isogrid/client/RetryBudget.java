package dev.isogrid.client;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds how many operations are tried again, so that a cluster in trouble does not get the load of
 * all its requests several times. Thread-safe.
 *
 * <p>It is a budget of tries. Each try takes one of it; 10 answers add one, and so does the passing
 * of time.
 */
final class RetryBudget {
  private static final int ANSWERS_PER_TRY = 10;
  private static final long NANOS_PER_TRY = TimeUnit.MILLISECONDS.toNanos(10);

  private final long answersMax;
  private final AtomicLong answers;
  private final AtomicLong refilledNanos;

  /**
   * Creates a full one.
   *
   * @param triesMax the most tries at once
   */
  RetryBudget(int triesMax) {
    this.answersMax = (long) triesMax * ANSWERS_PER_TRY;
    this.answers = new AtomicLong(answersMax);
    this.refilledNanos = new AtomicLong(Nanos.now());
  }

  /** Counts answers. */
  void answered(int count) {
    if (answers.get() < answersMax) {
      answers.addAndGet(count);
    }
  }

  /** Takes a try; false if there is none. */
  boolean tryTake() {
    long now = Nanos.now();
    long before = refilledNanos.get();
    long tries = Math.min((now - before) / NANOS_PER_TRY, answersMax / ANSWERS_PER_TRY);
    if (tries > 0 && refilledNanos.compareAndSet(before, now)) {
      answered((int) tries * ANSWERS_PER_TRY);
    }
    while (true) {
      long left = answers.get();
      if (left < ANSWERS_PER_TRY) {
        return false;
      }
      if (answers.compareAndSet(left, Math.min(left, answersMax) - ANSWERS_PER_TRY)) {
        return true;
      }
    }
  }
}
