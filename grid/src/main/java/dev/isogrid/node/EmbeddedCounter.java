package dev.isogrid.node;

import dev.isogrid.api.CounterBoundException;
import dev.isogrid.api.CounterConfig;
import dev.isogrid.api.CounterEvent;
import dev.isogrid.api.CounterListener;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.Subscription;
import dev.isogrid.structure.CounterState;
import dev.isogrid.structure.CounterTable;
import dev.isogrid.structure.CounterTable.Answer;
import java.lang.System.Logger.Level;
import java.util.Objects;

/**
 * The common part of strong and weak counters.
 *
 * @param table where the counter is
 * @param name its name
 * @param config how it was defined
 * @param futures runs its asynchronous operations
 */
record EmbeddedCounter(CounterTable table, String name, CounterConfig config, Futures futures) {
  private static final System.Logger log = System.getLogger(EmbeddedCounter.class.getName());

  static InvalidRequestException undefined(String name) {
    return new InvalidRequestException("no such counter: name=%s; define it first".formatted(name));
  }

  long value() {
    CounterState found = table.find(name);
    if (found == null) {
      throw undefined(name);
    }
    return found.value();
  }

  long addAndGet(long delta) {
    Answer answer = checked(table.add(name, delta));
    if (answer.outcome() == CounterTable.Outcome.BOUND) {
      CounterState after = Objects.requireNonNull(answer.after());
      boolean isUpper = after.state() == CounterEvent.State.UPPER_BOUND_REACHED;
      throw new CounterBoundException(
          isUpper,
          "counter at its bound: name=%s, delta=%d, value=%d"
              .formatted(name, delta, after.value()));
    }
    return answer.valueAfter();
  }

  /** The value before a value was set. */
  long before(Answer unchecked, long update) {
    Answer answer = checked(unchecked);
    if (answer.outcome() == CounterTable.Outcome.BOUND) {
      throw new CounterBoundException(
          update > config.upper(),
          "value out of bounds: name=%s, value=%d, lower=%d, upper=%d"
              .formatted(name, update, config.lower(), config.upper()));
    }
    return answer.valueBefore();
  }

  private Answer checked(Answer answer) {
    if (answer.outcome() == CounterTable.Outcome.UNKNOWN) {
      throw undefined(name);
    }
    return answer;
  }

  void reset() {
    checked(table.reset(name));
  }

  Subscription addListener(CounterListener listener) {
    Objects.requireNonNull(listener, "listener");
    return table.listen(
        name::equals,
        event -> {
          try {
            listener.onEvent(event);
          } catch (RuntimeException failure) {
            log.log(Level.WARNING, "a counter's listener failed; it goes on: " + name, failure);
          }
        });
  }
}
