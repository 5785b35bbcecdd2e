package dev.isogrid.journal;

import dev.isogrid.base.EpochClock;
import dev.isogrid.base.NanoClock;
import dev.isogrid.base.Scheduler;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What runs a journal.
 *
 * @param executor runs the journal's task, which blocks
 * @param ticks wakes the journal now and then
 * @param clock tells how old files are
 * @param pause lets the task wait for more records before it writes; null if it never waits
 */
public record JournalThreads(
    Executor executor, Ticks ticks, EpochClock clock, @Nullable Pause pause) {
  /** For journals without a retention. */
  public JournalThreads(Executor executor, Ticks ticks) {
    this(executor, ticks, () -> 0);
  }

  /** For a task that writes at once what there is. */
  public JournalThreads(Executor executor, Ticks ticks, EpochClock clock) {
    this(executor, ticks, clock, null);
  }

  /** Runs something again and again. */
  @FunctionalInterface
  public interface Ticks {
    /** As {@link Scheduler#every}. */
    Scheduler.Task every(long periodMillis, Runnable task);
  }

  /** Lets time pass. */
  @FunctionalInterface
  public interface Pause {
    /** As {@link NanoClock#pause}. May return early, and should when the thread is unparked. */
    void pause(long nanos);
  }
}
