package dev.isogrid.structure;

import dev.isogrid.api.CounterConfig;
import dev.isogrid.api.CounterEvent;

/**
 * A counter at a moment.
 *
 * @param config its definition
 * @param life the number of the counter's life: 0 at first, one more after each removal of its
 *     value
 * @param value its value
 * @param state whether the last change was cut short at a bound
 * @param revision grows with each change; the later of two states of a counter has the greater one
 */
public record CounterState(
    CounterConfig config, int life, long value, CounterEvent.State state, long revision) {
  /** A newly defined counter. */
  static CounterState of(CounterConfig config) {
    return of(config, 0);
  }

  /** The same with a first revision. */
  static CounterState of(CounterConfig config, long revision) {
    return new CounterState(config, 0, config.initial(), CounterEvent.State.VALID, revision);
  }

  /** Whether it must survive all nodes. */
  boolean isPersistent() {
    return config.storage() == CounterConfig.Storage.PERSISTENT;
  }

  /** Whether another one is a later state of the same persistent counter. */
  boolean isBefore(CounterState other) {
    return config.equals(other.config) && isPersistent() && revision < other.revision;
  }

  /** The same counter with another value. */
  CounterState with(long next, CounterEvent.State nextState) {
    return next == value && nextState == state
        ? this
        : new CounterState(config, life, next, nextState, revision + 1);
  }

  /** The same counter in its state after a definition. */
  CounterState begunAgain() {
    return new CounterState(
        config, life + 1, config.initial(), CounterEvent.State.VALID, revision + 1);
  }

  /** Whether a value is within the bounds. */
  boolean allows(long other) {
    return other >= config.lower() && other <= config.upper();
  }

  /** The counter after an addition, which ends at the bound. */
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
