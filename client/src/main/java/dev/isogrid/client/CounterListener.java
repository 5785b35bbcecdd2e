package dev.isogrid.client;

/** Receives the changes of a counter, from all clients. */
@FunctionalInterface
public interface CounterListener {
  /**
   * Takes one event. Called by one thread of the client for all listeners to counters, in the order
   * of the events' arrival; an exception is logged.
   */
  void onUpdate(CounterEvent event);
}
