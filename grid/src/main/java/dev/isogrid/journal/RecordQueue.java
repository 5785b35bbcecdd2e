package dev.isogrid.journal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The records that wait for a journal's task, in the order of their positions. Any thread appends;
 * one thread takes.
 */
final class RecordQueue {
  /*
   * Records are copied into a chain of buffers. A writer reserves room by one compare-and-set, so
   * that no writer waits for another one: with a lock, a writer that lost the processor while it
   * had that would hold up all of them, and those that wait have the locks of their segments. The
   * lock is for the step to the next buffer only.
   *
   * The task takes all that has room at a moment, and waits for those records of it that are being
   * copied. A buffer is used again when all of its records were forced.
   */
  /** The first buffer is small, as a cache may never be written to. */
  private static final int CAPACITY_MIN = 1 << 12;

  /** As much as is handed to the file system at once. */
  private static final int CAPACITY_MAX = 1 << 18;

  /** A record of that size is not copied. Smaller ones fit into a buffer of the full size. */
  private static final int LARGE_BYTES = CAPACITY_MAX / 2;

  /** Each buffer is so much larger than the one before. */
  private static final int GROWTH = 4;

  /** Buffers that are kept for later: what a disk takes in a pause, and another one. */
  private static final int SPARE_MAX = 8;

  private final ReentrantLock lock = new ReentrantLock();

  /** The buffer that is filled. Written under the lock. */
  private volatile RecordBuffer last = new RecordBuffer(0, CAPACITY_MIN);

  /** Empty buffers of the full size. Guarded by the lock. */
  private final Deque<RecordBuffer> spare = new ArrayDeque<>();

  /** Guarded by the lock. */
  private boolean isClosed;

  /** Where the next record is taken. Used by the taker. */
  private RecordBuffer first = last;

  private int taken;

  /** The end of what is to be taken. Used by the taker. */
  private RecordBuffer endBuffer = first;

  private int endOffset;

  /** Buffers whose records were all taken, and not all forced. Used by the taker. */
  private final Deque<RecordBuffer> left = new ArrayDeque<>();

  /** Takes records out of the queue. */
  @FunctionalInterface
  interface Taker {
    /**
     * Takes records.
     *
     * @param from where the first one is
     * @param to the end of the last one
     */
    void take(RecordBuffer buffer, int from, int to);
  }

  /** Returns the position behind all records that were appended. */
  long appended() {
    RecordBuffer buffer = last;
    return buffer.position(buffer.state());
  }

  /** Returns a position before that, by a part of a buffer; which writers change seldom. */
  long appendedAbout() {
    return last.position();
  }

  /**
   * Appends a record.
   *
   * @param record complete; taken
   * @param replaced the version that it replaces, 0 for none
   * @param growth by how many bytes the live records grow
   * @return the position behind it; -1 if the queue is closed
   */
  long append(byte[] record, long replaced, long growth) {
    if (record.length >= LARGE_BYTES) {
      return appendLarge(record, replaced, growth);
    }
    int size = RecordBuffer.sizeOf(record.length);
    while (true) {
      RecordBuffer buffer = last;
      long state = buffer.tryReserve(record.length, size);
      if (state >= 0) {
        int _ = buffer.put((int) state, record, replaced, growth);
        return buffer.position(state) + record.length;
      }
      if (!goOnBehind(buffer, size)) {
        return -1;
      }
    }
  }

  /** Appends two records that are taken together; otherwise as the other one. */
  long append(byte[] record, byte[] second, long growth) {
    int length = record.length + second.length;
    int size = RecordBuffer.sizeOf(record.length) + RecordBuffer.sizeOf(second.length);
    while (true) {
      RecordBuffer buffer = last;
      long state = buffer.tryReserve(length, size);
      if (state >= 0) {
        int behind = buffer.put((int) state, record, 0, growth);
        int _ = buffer.put(behind, second, 0, 0);
        return buffer.position(state) + length;
      }
      if (!goOnBehind(buffer, size)) {
        return -1;
      }
    }
  }

  private long appendLarge(byte[] record, long replaced, long growth) {
    lock.lock();
    try {
      if (isClosed) {
        return -1;
      }
      RecordBuffer before = last;
      before.close();
      long position = before.position(before.state());
      RecordBuffer large = new RecordBuffer(position, record, replaced, growth);
      RecordBuffer next = following(before, position + record.length, 0);
      before.next(large);
      large.next(next);
      last = next;
      return position + record.length;
    } finally {
      lock.unlock();
    }
  }

  /** Begins the next buffer, if nobody did so; returns false if the queue is closed. */
  private boolean goOnBehind(RecordBuffer full, int size) {
    lock.lock();
    try {
      if (isClosed) {
        return false;
      }
      if (full.equals(last)) {
        full.close();
        RecordBuffer next = following(full, full.position(full.state()), size);
        full.next(next);
        last = next;
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private RecordBuffer following(RecordBuffer before, long position, int size) {
    RecordBuffer used = spare.poll();
    if (used != null) {
      return new RecordBuffer(position, used);
    }
    int capacity = Math.clamp(GROWTH * (long) before.capacity(), CAPACITY_MIN, CAPACITY_MAX);
    return new RecordBuffer(position, Math.max(capacity, size));
  }

  /** Lets nobody append any more. */
  void close() {
    lock.lock();
    try {
      isClosed = true;
      last.close();
    } finally {
      lock.unlock();
    }
  }

  /** Notes what was appended by now, for {@link #take}; returns the position behind it. */
  long end() {
    RecordBuffer buffer = last;
    long end = buffer.state();
    endBuffer = buffer;
    endOffset = (int) end;
    return buffer.position(end);
  }

  /** Hands on what was appended before the last {@link #end}. */
  void take(Taker taker) {
    while (true) {
      RecordBuffer buffer = first;
      boolean isEnd = buffer.equals(endBuffer);
      int until = isEnd ? endOffset : (int) buffer.state();
      if (until > taken) {
        buffer.awaitFilled(taken, until);
        taker.take(buffer, taken, until);
        taken = until;
      }
      RecordBuffer next = isEnd ? null : buffer.next();
      if (next == null) {
        return;
      }
      left.add(buffer);
      first = next;
      taken = 0;
    }
  }

  /** Lets buffers be used again whose records were all forced. */
  void forced(long position) {
    RecordBuffer oldest = left.peek();
    while (oldest != null && oldest.position(oldest.state()) <= position) {
      left.remove();
      if (oldest.isUsable(CAPACITY_MAX)) {
        keep(oldest);
      }
      oldest = left.peek();
    }
  }

  private void keep(RecordBuffer used) {
    used.clear();
    lock.lock();
    try {
      if (spare.size() < SPARE_MAX) {
        spare.add(used);
      }
    } finally {
      lock.unlock();
    }
  }
}
