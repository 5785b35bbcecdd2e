package dev.isogrid.engine;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A write that was sent to the primary of its segment, and its outcome from when there is one.
 * Thread-safe.
 */
final class SentWrite implements PendingWrite {
  private final WriteEntry command;
  private final int index;
  private final Runnable whenDone;

  // written by: end, once
  private volatile @Nullable Outcome outcome;

  /**
   * A write without an outcome yet.
   *
   * @param index the segment's number in the cache
   * @param whenDone called when there is one
   */
  SentWrite(WriteEntry command, int index, Runnable whenDone) {
    this.command = command;
    this.index = index;
    this.whenDone = whenDone;
  }

  WriteEntry command() {
    return command;
  }

  int index() {
    return index;
  }

  /** Takes the outcome, and tells who waits for it. */
  void end(Outcome ended) {
    outcome = ended;
    whenDone.run();
  }

  /** The outcome, which there is once {@code whenDone} was called. */
  Outcome outcome() {
    return Objects.requireNonNull(outcome, "a write without an outcome yet");
  }
}
