package dev.isogrid.engine;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A question of thousands of threads at the same time. They share an answer that was begun after
 * each of them asked, so that it costs two answers and not thousands. Thread-safe.
 */
final class SharedAnswer<T> {
  private final ReentrantLock askers;
  private final Supplier<@Nullable T> question;

  /** How often an answer was begun. Written under askers. */
  private volatile long begun;

  /** Which of them was the last that came. Guarded by askers. */
  private long answered;

  /** Guarded by askers. */
  private @Nullable T last;

  /**
   * Answers with what a question gives.
   *
   * @param askers taken by all that ask, before anything that the answer takes
   */
  SharedAnswer(ReentrantLock askers, Supplier<@Nullable T> question) {
    this.askers = askers;
    this.question = question;
  }

  /**
   * Waits for an answer that begins now or later, and returns it; throws what the answer throws.
   */
  @Nullable T ask() {
    long before = begun;
    askers.lock();
    try {
      // An answer that was begun before is that of a thread which may have looked too early.
      if (begun == before || answered != begun) {
        long number = begun + 1;
        begun = number;
        last = question.get();
        answered = number;
      }
      return last;
    } finally {
      askers.unlock();
    }
  }
}
