package dev.isogrid.client;

/**
 * The clocks: nanoseconds for deadlines, of which only differences have a meaning; and the time of
 * day.
 */
final class Nanos {
  private Nanos() {}

  static long now() {
    return System.nanoTime(); // tidy: the client runs without the grid's clocks
  }

  /** Milliseconds since 1970, for times that servers send. */
  static long nowMillis() {
    return System.currentTimeMillis(); // tidy: the client runs without the grid's clocks
  }
}
