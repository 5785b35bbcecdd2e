package dev.isogrid.mapreduce;

import dev.isogrid.mapreduce.Control.Round;
import dev.isogrid.store.BytesWindow;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A large value that workers of one node map together, part by part. Thread-safe. */
final class SharedValue {
  /*
   * It belongs to the worker with its segment. That worker takes parts until there are none left,
   * as do idle workers that join it; then it waits for these. It waits only for workers that have
   * joined, so the value is mapped however few threads there are.
   *
   * Pairs of all of them count with the owner's attempt; each worker's collector and sender are
   * empty when it leaves. The shared value is read in the owner's memory. So the owner waits until
   * the last worker has left, even if it is interrupted: the functions of the others are
   * interrupted as well, and until they end the memory must stay.
   */

  /** The shared content. */
  sealed interface Content {
    /** The number of parts. */
    int count();
  }

  /**
   * Bytes.
   *
   * @param ends the ends of the parts
   */
  @SuppressWarnings("ArrayRecordComponent") // not compared
  record OfBytes(Range key, Range value, int[] ends) implements Content {
    @Override
    public int count() {
      return ends.length;
    }

    /** Makes a window show a part in place. */
    ByteBuffer part(int part, BytesWindow window) {
      ByteBuffer whole = value.shownBy(window);
      whole.limit(ends[part]).position(part == 0 ? 0 : ends[part - 1]);
      return whole;
    }
  }

  /** Objects. */
  record OfObjects(Object key, List<Object> parts) implements Content {
    @Override
    public int count() {
      return parts.size();
    }
  }

  /** A part of an array, which does not change as long as the owner waits. */
  @SuppressWarnings("ArrayRecordComponent") // not compared
  record Range(byte[] array, int offset, int length) {
    static Range of(BytesWindow window) {
      return new Range(window.array(), window.offset(), window.length());
    }

    ByteBuffer shownBy(BytesWindow window) {
      return window.over(array, offset, length);
    }
  }

  private final Round round;
  private final long attempt;
  private final Content content;
  private final AtomicInteger next = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition left = lock.newCondition();

  /** The workers that joined and did not leave; guarded by the lock. */
  private int helpers;

  /** Begins without taken parts, for the owner alone. */
  SharedValue(Round round, long attempt, Content content) {
    this.round = round;
    this.attempt = attempt;
    this.content = content;
  }

  Round round() {
    return round;
  }

  /** The owner's attempt. */
  long attempt() {
    return attempt;
  }

  Content content() {
    return content;
  }

  /** Takes the next part; -1 if there is none left. */
  int tryTake() {
    int part = next.getAndIncrement();
    return part < content.count() ? part : -1;
  }

  /** Whether there are untaken parts. */
  boolean hasParts() {
    return next.get() < content.count();
  }

  /** Lets another worker help, if there are untaken parts; it must {@link #leave}. */
  boolean tryJoin() {
    lock.lock();
    try {
      boolean joins = hasParts();
      helpers += joins ? 1 : 0;
      return joins;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the help of a worker: it takes no more, and all its pairs have reached their nodes. */
  void leave() {
    lock.lock();
    try {
      helpers--;
      left.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Leaves the other parts unmapped after a failure. */
  void stop() {
    next.set(content.count());
  }

  /** Waits until all have left. For the owner, when there are no parts left. */
  void awaitHelpers() {
    lock.lock();
    try {
      while (helpers > 0) {
        left.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }
}
