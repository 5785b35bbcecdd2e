package dev.isogrid.server.net;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A number of bytes, or of anything else, that many holders share fairly. Never blocks.
 * Thread-safe.
 */
public final class ByteBudget {
  /*
   * A holder may have as much as is free, and no more: alone it gets half of the budget, and of n
   * that want all they can get, each gets 1 part of n + 1, which leaves 1 part to whoever comes
   * next. So nobody has to be chosen as the one who gives something back, and a holder that wants
   * little gets it while others want too much. Racing holders can go beyond that rule by what they
   * take at the same moment, but never beyond the budget.
   */

  private final String name;
  private final long max;
  private final AtomicLong used = new AtomicLong();

  /**
   * Makes an unused budget.
   *
   * @param name what it is for, for messages
   * @param max the most bytes
   */
  public ByteBudget(String name, long max) {
    this.name = name;
    this.max = max;
  }

  /** A new holder, which has nothing. */
  public Share newShare() {
    return new Share();
  }

  /** The bytes that all holders have. */
  public long used() {
    return used.get();
  }

  /** The most bytes. */
  public long max() {
    return max;
  }

  /** What one holder has, such as a connection. Thread-safe. */
  public final class Share {
    private final AtomicLong held = new AtomicLong();

    private Share() {}

    /** Takes bytes; false if they are not there, or more than this holder's part. */
    public boolean tryTake(long bytes) {
      long before;
      do {
        before = used.get();
        if (held.get() + bytes > max - before - bytes) {
          return false;
        }
      } while (!used.compareAndSet(before, before + bytes));
      held.addAndGet(bytes);
      return true;
    }

    /** Gives bytes back. */
    public void give(long bytes) {
      held.addAndGet(-bytes);
      used.addAndGet(-bytes);
    }

    /** Takes bytes that another holder has taken already, and that this one uses with it. */
    public boolean tryJoin(long bytes) {
      if (held.get() + bytes > max - used.get()) {
        return false;
      }
      held.addAndGet(bytes);
      return true;
    }

    /** Lets go of bytes that another holder goes on having. */
    public void leave(long bytes) {
      held.addAndGet(-bytes);
    }

    /** The bytes that this holder has. */
    public long held() {
      return held.get();
    }

    /** What there is, for messages. */
    @Override
    public String toString() {
      return "%s: connection=%d, server=%d, limit=%d".formatted(name, held(), used(), max);
    }
  }
}
