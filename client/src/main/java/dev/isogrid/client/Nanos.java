package dev.isogrid.client;

/**
 * The clocks: that of deadlines, nanoseconds of which only differences mean something; and time.
 */
final class Nanos {
  private Nanos() {}

  static long now() {
    return System.nanoTime(); // tidy: the client runs without the grid's clocks
  }

  /** Milliseconds since 1970, for what servers tell in them. */
  static long nowMillis() {
    return System.currentTimeMillis(); // tidy: the client runs without the grid's clocks
  }
}
