package dev.isogrid.journal;

import dev.isogrid.base.Scheduler;
import java.util.concurrent.Executor;

/**
 * What runs a journal.
 *
 * @param executor runs the journal's task, which blocks
 * @param ticks wakes the journal now and then
 */
public record JournalThreads(Executor executor, Ticks ticks) {
  /** Runs something again and again. */
  @FunctionalInterface
  public interface Ticks {
    /** As {@link Scheduler#every}. */
    Scheduler.Task every(long periodMillis, Runnable task);
  }
}
