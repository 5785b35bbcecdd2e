package dev.isogrid.client;

/** Gets the changes of a counter, whichever client makes them. */
@FunctionalInterface
public interface CounterListener {
  /**
   * Takes one event. Called by one thread of the client for all listeners to counters, in the order
   * in which the events came; what it throws is logged.
   */
  void onUpdate(CounterEvent event);
}
