package dev.isogrid.client;

/** A change of a counter would have led beyond one of its bounds. */
public final class CounterOutOfBoundsException extends HotRodClientException {
  private static final long serialVersionUID = 1;

  CounterOutOfBoundsException(String name) {
    super("counter out of bounds: name=%s; see its configuration".formatted(name));
  }
}
