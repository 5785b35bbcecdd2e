package dev.isogrid.client;

/** The clock of deadlines: nanoseconds of the JVM, of which only differences mean something. */
final class Nanos {
  private Nanos() {}

  static long now() {
    return System.nanoTime(); // tidy: the client runs without the grid's clocks
  }
}
