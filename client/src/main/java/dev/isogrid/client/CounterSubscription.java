package dev.isogrid.client;

/** A listener to a counter, until it is closed. Thread-safe. */
public final class CounterSubscription implements AutoCloseable {
  private final CounterEvents events;
  private final String counterName;
  private final CounterListener listener;

  CounterSubscription(CounterEvents events, String counterName, CounterListener listener) {
    this.events = events;
    this.counterName = counterName;
    this.listener = listener;
  }

  String counterName() {
    return counterName;
  }

  CounterListener listener() {
    return listener;
  }

  /** The listener gets no more events, except those that are on their way to it. Never waits. */
  @Override
  public void close() {
    events.remove(this);
  }
}
