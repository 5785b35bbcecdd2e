package dev.isogrid.server.backup;

import dev.isogrid.api.FatalGridException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How far a backup or restore is, and whether it is still wanted. One thread works, others look.
 * Thread-safe.
 */
final class BackupProgress {
  private volatile boolean isCancelled;

  private final AtomicLong entries = new AtomicLong();

  /** 0 until it is known. Written by the thread that works. */
  private volatile long total;

  /** Ends the work at its next step. */
  void cancel() {
    isCancelled = true;
  }

  boolean isCancelled() {
    return isCancelled;
  }

  /** Sets how many entries there are, about: some may be written or removed meanwhile. */
  void expect(long count) {
    total = count;
  }

  /**
   * Notes work that is done.
   *
   * @param count entries since the last call
   * @param cancelled the message if the work is no longer wanted
   * @throws FatalGridException if it is not
   */
  void step(long count, String cancelled) {
    long _ = entries.addAndGet(count);
    if (isCancelled) {
      throw new FatalGridException(cancelled);
    }
  }

  /** The entries that are done. */
  long entries() {
    return entries.get();
  }

  /** The entries that there are, about; 0 if that is not known yet. */
  long total() {
    return total;
  }
}
