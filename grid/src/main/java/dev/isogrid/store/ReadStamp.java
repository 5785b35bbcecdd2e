package dev.isogrid.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** What tells a reader without a lock whether a write came between. */
class ReadStamp {
  /*
   * The stamp is at rest while its two lowest bits are 0. The first one is set while things are
   * moved; the second one from the first to the last of several writes that readers are to see
   * together. It changes with each of them. This is the sequence lock of [1], with the fences of
   * [2].
   *
   * [1] C. Lameter, Effective synchronization on Linux/NUMA systems, 2005.
   * [2] H. Boehm, Can seqlocks get along with programming language memory models?, MSPC 2012.
   */
  private static final int MOVING = 1;
  private static final int TOGETHER = 2;
  private static final int BUSY = MOVING | TOGETHER;
  private static final int STEP = BUSY + 1;

  private static final VarHandle STAMP;

  static {
    try {
      STAMP = MethodHandles.lookup().findVarHandle(ReadStamp.class, "stamp", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Read: acquire, then opaque; written: opaque and release, by the lock's holder. */
  private int stamp;

  /** The stamp to check a read against. */
  final int beginRead() {
    return (int) STAMP.getAcquire(this);
  }

  /** Whether what was read since {@link #beginRead} is consistent. */
  final boolean isValid(int stampBefore) {
    VarHandle.acquireFence();
    return (stampBefore & BUSY) == 0 && stampBefore == (int) STAMP.getOpaque(this);
  }

  /** Things are moved from now on. Locked. */
  final void beginMoves() {
    begin(MOVING);
  }

  /** Things are at rest again, unless more is to come. Locked. */
  final void endMoves() {
    if ((stamp & TOGETHER) == 0) {
      STAMP.setRelease(this, stamp - MOVING + STEP);
    }
  }

  /** What is written until {@link #endTogether} is seen together. Locked; not nested. */
  void beginTogether() {
    begin(TOGETHER);
  }

  /** What was written since {@link #beginTogether} can be seen. Locked. */
  void endTogether() {
    STAMP.setRelease(this, stamp - TOGETHER + STEP);
  }

  /** Whether several writes are under way together. Locked. */
  final boolean isTogether() {
    return (stamp & TOGETHER) != 0;
  }

  private void begin(int bit) {
    if ((stamp & TOGETHER) == 0) {
      STAMP.setOpaque(this, stamp + bit);
      VarHandle.storeStoreFence();
    }
  }
}
