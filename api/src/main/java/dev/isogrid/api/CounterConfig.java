package dev.isogrid.api;

/**
 * The definition of a counter: an immutable value.
 *
 * {@snippet :
 * CounterConfig tickets = CounterConfig.boundedStrong(0, 0, 100);
 * CounterConfig visits = CounterConfig.weak(0);
 * }
 *
 * @param type what the counter can do
 * @param initial the value at first and after a reset; within the bounds
 * @param lower the smallest value; {@link Long#MIN_VALUE} if not bounded
 * @param upper the greatest value, more than the smallest; {@link Long#MAX_VALUE} if not bounded
 * @param concurrency how many writers a weak counter expects at the same time, 1 or more; stored
 *     and returned, but without effect: writers never wait for each other
 * @param storage whether the value survives the end of all nodes
 */
public record CounterConfig(
    Type type, long initial, long lower, long upper, int concurrency, Storage storage) {
  /** The concurrency of a counter that is not told another. */
  public static final int CONCURRENCY_DEFAULT = 16;

  /** The abilities of a counter. */
  public enum Type {
    /** Each change answers with the value; all longs are allowed. */
    UNBOUNDED_STRONG,
    /** Each change answers with the value, which stays within bounds. */
    BOUNDED_STRONG,
    /** Changes answer nothing. */
    WEAK
  }

  /** The state that survives the end of all nodes. */
  public enum Storage {
    /** Nothing. */
    VOLATILE,
    /** Definition and value, if a server with a data directory has it; refused elsewhere. */
    PERSISTENT
  }

  /**
   * Checks the values.
   *
   * @throws InvalidConfigurationException if one is out of its range, naming it
   */
  public CounterConfig {
    if (type != Type.BOUNDED_STRONG) {
      lower = Long.MIN_VALUE;
      upper = Long.MAX_VALUE;
    }
    if (lower >= upper || initial < lower || initial > upper) {
      throw new InvalidConfigurationException(
          ("invalid counter: lower=%d, initial=%d, upper=%d; the lower bound must be less than the"
                  + " upper one, and the initial value between them")
              .formatted(lower, initial, upper));
    }
    if (concurrency < 1) {
      throw new InvalidConfigurationException(
          "invalid counter: concurrency=%d; allowed is 1 or more".formatted(concurrency));
    }
  }

  /** A strong counter without bounds. */
  public static CounterConfig strong(long initial) {
    return new CounterConfig(
        Type.UNBOUNDED_STRONG,
        initial,
        Long.MIN_VALUE,
        Long.MAX_VALUE,
        CONCURRENCY_DEFAULT,
        Storage.VOLATILE);
  }

  /**
   * A strong counter with bounds.
   *
   * @param lower the smallest value
   * @param upper the greatest value
   */
  public static CounterConfig boundedStrong(long initial, long lower, long upper) {
    return new CounterConfig(
        Type.BOUNDED_STRONG, initial, lower, upper, CONCURRENCY_DEFAULT, Storage.VOLATILE);
  }

  /** A weak counter. */
  public static CounterConfig weak(long initial) {
    return new CounterConfig(
        Type.WEAK, initial, Long.MIN_VALUE, Long.MAX_VALUE, CONCURRENCY_DEFAULT, Storage.VOLATILE);
  }

  /** The same with another concurrency. */
  public CounterConfig withConcurrency(int concurrency) {
    return new CounterConfig(type, initial, lower, upper, concurrency, storage);
  }

  /** The same with another storage. */
  public CounterConfig withStorage(Storage storage) {
    return new CounterConfig(type, initial, lower, upper, concurrency, storage);
  }

  /** Whether the counter is weak. */
  public boolean isWeak() {
    return type == Type.WEAK;
  }

  /** Whether the counter has bounds of its own. */
  public boolean isBounded() {
    return type == Type.BOUNDED_STRONG;
  }
}
