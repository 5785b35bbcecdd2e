package dev.isogrid.client;

import dev.isogrid.wire.HotRod;

/**
 * The definition of a counter: an immutable value.
 *
 * @param type what the counter can do
 * @param initialValue the value at first and after a reset; within the bounds
 * @param lowerBound the smallest value; {@link Long#MIN_VALUE} if not bounded
 * @param upperBound the greatest value; {@link Long#MAX_VALUE} if not bounded
 * @param concurrencyLevel how many writers a weak counter expects at the same time, 1 or more
 * @param storage whether the value survives the end of all servers
 */
public record CounterConfiguration(
    CounterType type,
    long initialValue,
    long lowerBound,
    long upperBound,
    int concurrencyLevel,
    Storage storage) {
  /** The default concurrency level of a counter. */
  public static final int CONCURRENCY_DEFAULT = 16;

  /** The abilities of a counter. */
  public enum CounterType {
    /** Each change returns the value; all longs are allowed. */
    UNBOUNDED_STRONG,
    /** Each change returns the value, which stays within bounds. */
    BOUNDED_STRONG,
    /** Changes return nothing. */
    WEAK
  }

  /** The state that survives the end of all servers. */
  public enum Storage {
    /** Nothing. */
    VOLATILE,
    /** The value, if the servers can do that; otherwise they refuse such a definition. */
    PERSISTENT
  }

  /** Checks the values. */
  public CounterConfiguration {
    if (type != CounterType.BOUNDED_STRONG) {
      lowerBound = Long.MIN_VALUE;
      upperBound = Long.MAX_VALUE;
    }
    if (lowerBound > upperBound || initialValue < lowerBound || initialValue > upperBound) {
      throw new IllegalArgumentException(
          "invalid counter: lowerBound=%d, initialValue=%d, upperBound=%d; put them in this order"
              .formatted(lowerBound, initialValue, upperBound));
    }
    if (concurrencyLevel < 1) {
      throw new IllegalArgumentException(
          "invalid counter: concurrencyLevel=%d; 1 or more".formatted(concurrencyLevel));
    }
  }

  private static CounterConfiguration of(CounterType type, long initial, long lower, long upper) {
    return new CounterConfiguration(
        type, initial, lower, upper, CONCURRENCY_DEFAULT, Storage.VOLATILE);
  }

  /** A strong counter without bounds. */
  public static CounterConfiguration strong(long initialValue) {
    return of(CounterType.UNBOUNDED_STRONG, initialValue, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  /** A strong counter with bounds. */
  public static CounterConfiguration boundedStrong(
      long initialValue, long lowerBound, long upperBound) {
    return of(CounterType.BOUNDED_STRONG, initialValue, lowerBound, upperBound);
  }

  /** A weak counter. */
  public static CounterConfiguration weak(long initialValue) {
    return of(CounterType.WEAK, initialValue, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  /** The same with another concurrency level. */
  public CounterConfiguration withConcurrencyLevel(int level) {
    return new CounterConfiguration(type, initialValue, lowerBound, upperBound, level, storage);
  }

  /** The same with another storage. */
  public CounterConfiguration withStorage(Storage other) {
    return new CounterConfiguration(
        type, initialValue, lowerBound, upperBound, concurrencyLevel, other);
  }

  /**
   * Appends it as the protocol has it.
   *
   * <pre>
   * u8 flags | if weak: vInt concurrency | if bounded: i64 lower, i64 upper | i64 initial
   * </pre>
   */
  void write(RequestWriter out) {
    boolean isWeak = type == CounterType.WEAK;
    boolean isBounded = type == CounterType.BOUNDED_STRONG;
    out.u8(
        (isWeak ? HotRod.COUNTER_WEAK : 0)
            | (isBounded ? HotRod.COUNTER_BOUNDED : 0)
            | (storage == Storage.PERSISTENT ? HotRod.COUNTER_PERSISTENT : 0));
    if (isWeak) {
      out.vInt(concurrencyLevel);
    }
    if (isBounded) {
      out.i64(lowerBound);
      out.i64(upperBound);
    }
    out.i64(initialValue);
  }

  /** Reads what {@link #write} appends. */
  static CounterConfiguration read(ResponseReader in) {
    int flags = in.u8();
    boolean isWeak = (flags & HotRod.COUNTER_WEAK) != 0;
    boolean isBounded = (flags & HotRod.COUNTER_BOUNDED) != 0;
    int concurrency = isWeak ? in.vInt() : CONCURRENCY_DEFAULT;
    long lower = isBounded ? in.i64() : Long.MIN_VALUE;
    long upper = isBounded ? in.i64() : Long.MAX_VALUE;
    CounterType strong = isBounded ? CounterType.BOUNDED_STRONG : CounterType.UNBOUNDED_STRONG;
    boolean isPersistent = (flags & HotRod.COUNTER_PERSISTENT) != 0;
    return new CounterConfiguration(
        isWeak ? CounterType.WEAK : strong,
        in.i64(),
        lower,
        upper,
        concurrency,
        isPersistent ? Storage.PERSISTENT : Storage.VOLATILE);
  }
}
