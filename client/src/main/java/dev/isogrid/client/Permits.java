package dev.isogrid.client;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Keeps the operations under way to a server within {@link RequestLimits}. Thread-safe. */
final class Permits {
  /** The lower bits count bytes, the upper ones operations. */
  private static final int OPERATION_SHIFT = 40;

  private static final long BYTES_MASK = (1L << OPERATION_SHIFT) - 1;

  private final RequestLimits limits;
  private final AtomicLong used = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition released = lock.newCondition();

  /**
   * Changed under the lock; read without it by a releasing thread, after it changed {@link #used}.
   */
  private final AtomicInteger waiting = new AtomicInteger();

  Permits(RequestLimits limits) {
    this.limits = limits;
  }

  private static long amount(int bytes) {
    return (1L << OPERATION_SHIFT) + bytes;
  }

  /** Takes a permit if there is room. An operation larger than the limit gets one when alone. */
  boolean tryAcquire(int bytes) {
    while (true) {
      long before = used.get();
      long operations = before >>> OPERATION_SHIFT;
      boolean fits =
          operations < limits.operationsMax() && (before & BYTES_MASK) + bytes <= limits.bytesMax();
      if (!fits && operations != 0) {
        return false;
      }
      if (used.compareAndSet(before, before + amount(bytes))) {
        return true;
      }
    }
  }

  /**
   * Waits for room.
   *
   * @return whether there was some before the deadline, by {@link Nanos}
   */
  boolean acquire(int bytes, long deadlineNanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      waiting.incrementAndGet();
      try {
        while (!tryAcquire(bytes)) {
          long left = deadlineNanos - Nanos.now();
          if (left <= 0) {
            return false;
          }
          released.awaitNanos(Math.min(left, TimeUnit.SECONDS.toNanos(1)));
        }
        return true;
      } finally {
        waiting.decrementAndGet();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes a permit beyond the limits, for an operation that gives up one of another server. */
  void force(int bytes) {
    used.addAndGet(amount(bytes));
  }

  /** Gives a permit back. */
  void release(int bytes) {
    used.addAndGet(-amount(bytes));
    if (waiting.get() > 0) {
      lock.lock();
      try {
        released.signal();
      } finally {
        lock.unlock();
      }
    }
  }

  /** The operations that hold a permit. */
  int operations() {
    return (int) (used.get() >>> OPERATION_SHIFT);
  }
}
