package dev.isogrid.client;

/**
 * A change of a counter.
 *
 * @param counterName the name of the counter
 * @param oldValue the value before
 * @param oldState whether the change before was cut short at a bound
 * @param newValue the value now
 * @param newState whether this change was cut short at a bound
 */
public record CounterEvent(
    String counterName,
    long oldValue,
    CounterState oldState,
    long newValue,
    CounterState newState) {
  private static final int STATE_BITS = 2;

  /** Whether a change was cut short at a bound. */
  public enum CounterState {
    /** It was carried out whole. */
    VALID,
    /** It would have gone below the lower bound: the value is that bound. */
    LOWER_BOUND_REACHED,
    /** It would have gone above the upper bound: the value is that bound. */
    UPPER_BOUND_REACHED
  }

  /** Makes one of an event's fields; the old state is in the lowest two bits. */
  static CounterEvent of(String counterName, int states, long oldValue, long newValue) {
    return new CounterEvent(
        counterName, oldValue, state(states), newValue, state(states >> STATE_BITS));
  }

  private static CounterState state(int bits) {
    int code = bits & ((1 << STATE_BITS) - 1);
    if (code == CounterState.values().length) {
      throw new InvalidResponseException("no such state of a counter: code=" + code);
    }
    return CounterState.values()[code];
  }
}
