package dev.isogrid.client;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Lets the threads of an event loop that has many callers yield the processor before they sleep, as
 * long as that saves more than it costs. Thread-safe; {@link #answered} is for the turn.
 */
final class Yields {
  /*
   * A caller that sleeps for its answer costs three calls of futex and two changes of threads. If
   * more threads are ready to run than there are processors, a caller that yields instead often has
   * its answer when it runs again, and costs one call. Others add their requests meanwhile, so that
   * each write and read carries more of them.
   *
   * On idle processors a yield returns at once and saves nothing, and beside threads that compute
   * it lasts as long as these are allowed to. Two measures end it for a pause: a sample of answers
   * most of which found their caller asleep, and several long yields, one after the other. Many
   * threads may be held up by the same long turn of another one, which counts once.
   */
  /** More of them mostly find that the answer is not there yet. */
  static final int YIELDS_MAX = 4;

  /** Answers per sample. */
  static final int SAMPLE = 256;

  /** So many sleeping callers of a sample show that yields do not pay. */
  static final int ASLEEP_MAX = SAMPLE * 3 / 4;

  /** Threads that yielded for longer stand behind others that compute. */
  static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** Such times in a row show that the others compute all the time. */
  static final int SLOW_MAX = 3;

  /** Slow yields in a row follow each other within this time. */
  static final long ROW_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** Long beside a sample, so that samples which fail cost next to nothing. */
  static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final LongSupplier clock;
  private final Runnable yielding;

  /** No thread yields before; written by any thread, since a lost write costs one sample only. */
  private volatile long pausedUntilNanos;

  // Guarded by the monitor.
  private int slowInRow;
  private long slowNanos;

  // The rest belongs to the turn.
  private int answers;
  private int asleep;

  /**
   * Creates one.
   *
   * @param clock nanoseconds, of which only differences have a meaning
   * @param yielding lets other threads run
   */
  Yields(LongSupplier clock, Runnable yielding) {
    this.clock = clock;
    this.yielding = yielding;
    this.pausedUntilNanos = clock.getAsLong();
  }

  /** Yields some times, until an operation is done or its thread must watch. By that thread. */
  void untilDone(Operation<?> operation) {
    long startNanos = clock.getAsLong();
    if (startNanos - pausedUntilNanos < 0) {
      return;
    }
    for (int i = 0; i < YIELDS_MAX && !operation.isDone() && operation.watched == null; i++) {
      yielding.run();
    }
    pauseIfSlow(startNanos);
  }

  /** Yields once, unless that does not pay. */
  void once() {
    long startNanos = clock.getAsLong();
    if (startNanos - pausedUntilNanos >= 0) {
      yielding.run();
      pauseIfSlow(startNanos);
    }
  }

  private void pauseIfSlow(long startNanos) {
    long now = clock.getAsLong();
    if (now - startNanos > SLOW_NANOS) {
      slow(now);
    }
  }

  private synchronized void slow(long nowNanos) {
    long sinceNanos = nowNanos - slowNanos;
    if (slowInRow > 0 && sinceNanos < SLOW_NANOS) {
      return; // it waited at the same time
    }
    slowInRow = sinceNanos < ROW_NANOS ? slowInRow + 1 : 1;
    slowNanos = nowNanos;
    if (slowInRow >= SLOW_MAX) {
      slowInRow = 0;
      pausedUntilNanos = nowNanos + PAUSE_NANOS;
    }
  }

  /** Counts an answer of a caller that may have yielded. In the turn. */
  void answered(boolean wasAsleep, long nowNanos) {
    if (nowNanos - pausedUntilNanos < 0) {
      return;
    }
    asleep += wasAsleep ? 1 : 0;
    answers++;
    if (answers == SAMPLE) {
      if (asleep > ASLEEP_MAX) {
        pausedUntilNanos = nowNanos + PAUSE_NANOS;
      }
      answers = 0;
      asleep = 0;
    }
  }
}
