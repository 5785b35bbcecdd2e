package dev.isogrid.api;

/**
 * Gets the changes of a counter, whichever node makes them, one after the other and in their order.
 * An exception that it throws is logged and changes nothing.
 */
@FunctionalInterface
public interface CounterListener {
  /** Takes one event, on a thread of the grid. */
  void onEvent(CounterEvent event);
}
