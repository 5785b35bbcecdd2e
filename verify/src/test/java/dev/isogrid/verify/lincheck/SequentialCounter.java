package dev.isogrid.verify.lincheck;

/** The sequential results of the operations of a bounded counter. */
public class SequentialCounter {
  private static final int LOWER = 0;
  private static final int UPPER = 3;
  private static final int INITIAL = 1;

  private long value = INITIAL;

  /** As the operation of the counter. */
  public long value() {
    return value;
  }

  /** As the operation of the counter. */
  public long add(int delta) {
    long sum = value + delta;
    value = Math.clamp(sum, LOWER, UPPER);
    return value == sum ? sum : bound(sum);
  }

  private static long bound(long beyond) {
    return beyond > UPPER ? CounterOperations.UPPER : CounterOperations.LOWER;
  }

  /** As the operation of the counter. */
  public long compareAndSwap(int expect, int update) {
    return value == expect ? getAndSet(update) : value;
  }

  /** As the operation of the counter. */
  public long getAndSet(int next) {
    if (next < LOWER || next > UPPER) {
      return bound(next);
    }
    long before = value;
    value = next;
    return before;
  }

  /** As the operation of the counter. */
  public void reset() {
    value = INITIAL;
  }
}
