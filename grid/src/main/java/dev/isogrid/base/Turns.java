package dev.isogrid.base;

import dev.isogrid.api.RetryableGridException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Lets one thread at a time run a task that may wait for a disk or for other nodes; such a task
 * must not hold a lock. Others wait in the order of arrival, but not for ever. Thread-safe.
 */
public final class Turns {
  /**
   * The longest wait for a turn: longer than a turn takes even when nodes fail. After it, the
   * caller may try again.
   */
  private static final long WAIT_SECONDS = 30;

  private final Semaphore turn = new Semaphore(1, true);
  private final String what;

  /**
   * Begins without a turn.
   *
   * @param what the name of the task, for messages
   */
  public Turns(String what) {
    this.what = what;
  }

  /**
   * Runs a task when it is this thread's turn. Must not be nested.
   *
   * @throws RetryableGridException if the turn does not come in time, or the thread is interrupted
   */
  public void take(Runnable task) {
    if (!isTurn()) {
      throw new RetryableGridException(
          "waited too long: what=%s, limit=%d s; try again".formatted(what, WAIT_SECONDS));
    }
    try {
      task.run();
    } finally {
      turn.release();
    }
  }

  private boolean isTurn() {
    try {
      return turn.tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException interruption) {
      Thread.currentThread().interrupt();
      throw new RetryableGridException("interrupted: what=" + what + "; try again", interruption);
    }
  }
}
