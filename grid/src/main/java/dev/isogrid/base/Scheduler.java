package dev.isogrid.base;

import java.util.concurrent.ThreadFactory;

/** Schedules tasks. Thread-safe. Tasks must be short and must not block. */
public interface Scheduler extends AutoCloseable {
  /**
   * Runs a task periodically, with this pause between the end of one run and the next. Failures of
   * the task are logged, and the runs continue.
   *
   * @param periodMillis the pause in milliseconds, 1 or more
   * @return the scheduled task; closing it ends the runs
   */
  Task every(long periodMillis, Runnable task);

  /**
   * Runs a task on a thread that may block.
   *
   * @throws java.util.concurrent.RejectedExecutionException if the scheduler was closed
   */
  void execute(Runnable task);

  /**
   * As {@link #execute}, for a task that is in blocking calls of the operating system most of the
   * time, such as forces of a file. It may have a thread of the operating system: for few tasks.
   */
  default void executeBlocking(Runnable task) {
    execute(task);
  }

  /**
   * The threads of a pool that may block.
   *
   * @param kind the kind of threads, unless this scheduler replaces all threads by its own
   */
  default ThreadFactory threads(Thread.Builder kind) {
    return kind.factory();
  }

  /** Ends all tasks; waits for running ones, at most 5 s. */
  @Override
  void close();

  /** A scheduled task. */
  @FunctionalInterface
  interface Task extends AutoCloseable {
    /** No run begins after this call. Calling it twice is harmless. */
    @Override
    void close();
  }
}
