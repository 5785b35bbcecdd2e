package dev.isogrid.engine;

/**
 * What this node may do in a segment without asking anybody: told by the thread that drives the
 * node, asked by any. Thread-safe.
 */
final class ServedSegment {
  /*
   * A reader notes the stamp, reads what is committed, and looks at the stamp again. If it is the
   * same, the node was all the while what the stamp says. The stamp of a backup also changes when
   * it is told of a write and when it knows that all it was told of is committed.
   *
   * A writer of a segment that is the node's alone asks under the lock of the segment's container.
   * Who ends that state sets the stamp and then takes the lock once, so that no such writer is
   * left.
   */
  private static final int STATES = 8;

  /** The states in the lowest bits of a stamp. */
  private static final int SERVED = 1;

  private static final int OWN = 2;

  private static final int COPY = 4;

  /** STATES more at each change. */
  private volatile int stamp;

  /** Whether the node ends, so that it is nothing here any more. For the node's driver. */
  private boolean isEnded;

  private volatile int drops;

  /** Never reset, so no write that is under way while the state changes is missed. */
  private volatile boolean isWrittenByClients;

  /** The place of the last write that is committed here. */
  private volatile long committedSeq;

  private volatile boolean isInSync;

  private volatile boolean isComplete;

  /** A stamp to compare with later. */
  int stamp() {
    return stamp;
  }

  /** Whether the node answers for the segment, if it has a lease. */
  static boolean isServed(int stamp) {
    return (stamp & SERVED) != 0;
  }

  /**
   * Whether the segment is the node's alone: no other node has a copy or is given one, so none can
   * take over, and the node needs neither lease nor log.
   */
  static boolean isOwn(int stamp) {
    return (stamp & OWN) != 0;
  }

  /** Whether the copy of a backup answers single reads, if the node has a lease. */
  static boolean isCopy(int stamp) {
    return (stamp & COPY) != 0;
  }

  /** How often this node gave its copy of the segment up. */
  int drops() {
    return drops;
  }

  /**
   * Says that a client's write is about to be done in a segment that may be the node's alone, where
   * it leaves no record. Any thread.
   */
  void writtenByClient() {
    if (!isWrittenByClients) {
      isWrittenByClients = true;
    }
  }

  /** Whether {@link #writtenByClient} was ever called. */
  boolean isWrittenByClients() {
    return isWrittenByClients;
  }

  /** The place of the last write that is committed here, unless the segment is the node's alone. */
  long committedSeq() {
    return committedSeq;
  }

  /** Says which that is. For one thread at a time. */
  void committed(long seq) {
    committedSeq = seq;
  }

  /** Whether this node's copy is one of those that are in sync. */
  boolean isInSync() {
    return isInSync;
  }

  /** Whether this node's copy has all that is committed up to some place. */
  boolean isComplete() {
    return isComplete;
  }

  /** Says what the copy is. For one thread at a time. */
  void copy(boolean isInSyncNow, boolean isCompleteNow) {
    isInSync = isInSyncNow;
    isComplete = isCompleteNow;
  }

  /** Says what the node is as primary. For one thread at a time. */
  void set(boolean isServed, boolean isOwn) {
    set((isServed ? SERVED : 0) | (isOwn ? OWN : 0));
  }

  /** Says what the node is as backup. For one thread at a time. */
  void setCopy(boolean isReadable) {
    set(isReadable ? COPY : 0);
  }

  /** Says that the node does nothing here any more, whatever is said later. Does not fail. */
  void end() {
    set(0);
    isEnded = true;
  }

  private void set(int state) {
    if (isEnded) {
      return;
    }
    int now = stamp;
    if (state != (now & (STATES - 1))) {
      stamp = (now & -STATES) + STATES + state;
    }
  }

  /** Says that the copy is given up. For one thread at a time. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // the node's driver is the only one that writes
  void dropped() {
    drops++;
  }
}
