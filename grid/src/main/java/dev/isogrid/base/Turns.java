package dev.isogrid.base;

import dev.isogrid.api.RetryableGridException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Lets one thread at a time do what may wait for a disk or for other nodes, which is nothing to do
 * with a lock held. Others wait in the order in which they came, but not for ever. Thread-safe.
 */
public final class Turns {
  /** Longer than a turn takes even when nodes fail; a caller that waits longer may try again. */
  private static final long WAIT_SECONDS = 30;

  private final Semaphore turn = new Semaphore(1, true);
  private final String what;

  /**
   * Begins with nobody.
   *
   * @param what is done, for messages
   */
  public Turns(String what) {
    this.what = what;
  }

  /**
   * Does something when it is this thread's turn. Not to be nested.
   *
   * @throws RetryableGridException if that does not come in time, or the thread is interrupted
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
