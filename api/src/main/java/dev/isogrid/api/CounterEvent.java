package dev.isogrid.api;

/**
 * A change of a counter.
 *
 * @param counter its name
 * @param oldValue the value before
 * @param oldState whether an addition had been cut short at a bound before
 * @param newValue the value now
 * @param newState whether this change was cut short at a bound
 */
public record CounterEvent(
    String counter, long oldValue, State oldState, long newValue, State newState) {
  /** Whether the last change of a counter was carried out whole. */
  public enum State {
    /** It was. */
    VALID,
    /** It would have gone below the lower bound: the value is that bound. */
    LOWER_BOUND_REACHED,
    /** It would have gone above the upper bound: the value is that bound. */
    UPPER_BOUND_REACHED
  }
}
