package dev.isogrid.structure;

import dev.isogrid.api.CounterConfig;
import dev.isogrid.api.CounterEvent;

/**
 * A counter at a moment.
 *
 * @param config its definition
 * @param life which life of the counter it is: 0 at first, one more after each removal of its value
 * @param value its value
 * @param state whether the last change was cut short at a bound
 */
public record CounterState(CounterConfig config, int life, long value, CounterEvent.State state) {
  /** A counter that was just defined. */
  static CounterState of(CounterConfig config) {
    return new CounterState(config, 0, config.initial(), CounterEvent.State.VALID);
  }

  /** The same counter with another value. */
  CounterState with(long next, CounterEvent.State nextState) {
    return new CounterState(config, life, next, nextState);
  }

  /** The same counter as if it had just been defined. */
  CounterState begunAgain() {
    return new CounterState(config, life + 1, config.initial(), CounterEvent.State.VALID);
  }

  /** Whether a value is within the bounds. */
  boolean allows(long other) {
    return other >= config.lower() && other <= config.upper();
  }

  /** The counter after an addition, which goes as far as the bound if need be. */
  CounterState plus(long delta) {
    long sum = value + delta;
    boolean isLong = ((value ^ sum) & (delta ^ sum)) >= 0;
    if (delta > 0 && (!isLong || sum > config.upper())) {
      return with(config.upper(), CounterEvent.State.UPPER_BOUND_REACHED);
    }
    return delta < 0 && (!isLong || sum < config.lower())
        ? with(config.lower(), CounterEvent.State.LOWER_BOUND_REACHED)
        : with(sum, CounterEvent.State.VALID);
  }
}
