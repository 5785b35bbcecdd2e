package dev.isogrid.journal;

import dev.isogrid.base.EpochClock;
import dev.isogrid.base.Scheduler;
import java.util.concurrent.Executor;

/**
 * What runs a journal.
 *
 * @param executor runs the journal's task, which blocks
 * @param ticks wakes the journal now and then
 * @param clock tells how old files are
 */
public record JournalThreads(Executor executor, Ticks ticks, EpochClock clock) {
  /** For journals without a retention. */
  public JournalThreads(Executor executor, Ticks ticks) {
    this(executor, ticks, () -> 0);
  }

  /** Runs something again and again. */
  @FunctionalInterface
  public interface Ticks {
    /** As {@link Scheduler#every}. */
    Scheduler.Task every(long periodMillis, Runnable task);
  }
}
