package dev.isogrid.engine;

import java.util.ArrayDeque;

/**
 * The copies that this node sends to another one. They go in groups, one after the other, and share
 * what may be on its way. Not thread-safe.
 */
final class CopyQueue {
  /*
   * A window per receiver and not per segment: its size is what the way there and back needs, and
   * memory at both ends, however many segments there are. The next copies begin when the last part
   * of those before was sent, so nothing waits for a plan or for an answer in between.
   *
   * Segments are mostly of one size, so the copies of a group, which take turns, end together. A
   * few topologies add their receivers then. A topology for each would cost more than the copy.
   *
   * Parts arrive in their order as long as a connection lives, and are answered in that order. So
   * a part is lost if a later one was answered, or if nothing was answered for a long time; one
   * that only waits for its turn at the receiver is not sent twice.
   *
   * A copy begins with few parts, and continues with each answer: a full window at once would keep
   * other work waiting at both ends.
   */

  /** Parts that are sent in one go: for each one that is answered, two at most. */
  private static final int PARTS_MAX = 2;

  /** Copies that take turns: the writes that are made meanwhile are kept for each of them. */
  private static final int GROUP_MAX = 16;

  /** A copy that is sent part by part. */
  interface Copy {
    /** Sends the next part, and passes its size to {@link #sent}. */
    void sendPart(long nowNanos);

    /** Whether there is no further part. */
    boolean isSent();

    /** Whether the next part is not there yet: the copy is added again when it is. */
    default boolean isWaiting() {
      return false;
    }
  }

  private final CopyPace pace;
  private final long windowBytes;
  private final long resendNanos;
  private final ArrayDeque<Copy> waiting = new ArrayDeque<>();

  /** Those that take turns. */
  private final ArrayDeque<Copy> group = new ArrayDeque<>();

  private long bytesOnWay;
  private long lastPart;
  private long lastStored;
  private long storedNanos;

  /**
   * A queue without copies.
   *
   * @param pace says when parts may be sent
   * @param windowBytes what may be on its way; the last part may go beyond it
   * @param resendNanos how long an answer may take until a part counts as lost
   */
  CopyQueue(CopyPace pace, long windowBytes, long resendNanos) {
    this.pace = pace;
    this.windowBytes = windowBytes;
    this.resendNanos = resendNanos;
  }

  /** Adds a copy behind the others. */
  void add(Copy copy) {
    waiting.add(copy);
  }

  /**
   * Forgets a copy.
   *
   * @param bytes what is on its way of it
   */
  void remove(Copy copy, long bytes) {
    waiting.remove(copy);
    group.remove(copy);
    bytesOnWay -= bytes;
  }

  /** Whether there is something to be sent. */
  boolean hasMore() {
    return !waiting.isEmpty() || !group.isEmpty();
  }

  /** Sends what may be sent now, but not much in one go. */
  void send(long nowNanos) {
    for (int i = 0; i < PARTS_MAX && bytesOnWay < windowBytes; i++) {
      if (!hasMore() || !pace.maySend(nowNanos)) {
        return;
      }
      if (group.isEmpty()) {
        beginGroup();
      }
      Copy next = group.remove();
      next.sendPart(nowNanos);
      if (!next.isSent() && !next.isWaiting()) {
        group.add(next);
      }
    }
  }

  private void beginGroup() {
    while (group.size() < GROUP_MAX && !waiting.isEmpty()) {
      group.add(waiting.remove());
    }
  }

  /**
   * A part is on its way.
   *
   * @return its number among all of them
   */
  long sent(long bytes) {
    bytesOnWay += bytes;
    pace.sent(bytes);
    return ++lastPart;
  }

  /** A part is sent once more; returns its new number. */
  long sentAgain() {
    return ++lastPart;
  }

  /**
   * Parts were answered.
   *
   * @param bytes those of all of them
   * @param part the number of the last one
   */
  void stored(long bytes, long part, long nowNanos) {
    bytesOnWay -= bytes;
    lastStored = Math.max(lastStored, part);
    storedNanos = nowNanos;
  }

  /**
   * Returns whether a part that was not answered must be sent again.
   *
   * @param part its number
   * @param sentNanos when it was sent
   */
  boolean isLost(long part, long sentNanos, long nowNanos) {
    boolean isLate = nowNanos - sentNanos >= resendNanos;
    boolean isSilent = lastStored == 0 || nowNanos - storedNanos >= resendNanos;
    return isLate && (isSilent || part < lastStored);
  }
}
