package dev.isogrid.server.memcached;

/** Receives the statistics of {@code stats}, in the form of a protocol. */
interface StatsSink {
  /** Shows one statistic. */
  void add(String name, String value);

  /** Shows a number. */
  default void add(String name, long value) {
    add(name, Long.toString(value));
  }
}
