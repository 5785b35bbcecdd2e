package dev.isogrid.bench.server;

/** What a server and a client have in common. */
enum Protocol {
  HOT_ROD("Hot Rod"),
  MEMCACHED("memcached"),
  RESP("RESP");

  private final String label;

  Protocol(String label) {
    this.label = label;
  }

  /** The name in reports. */
  String label() {
    return label;
  }
}
