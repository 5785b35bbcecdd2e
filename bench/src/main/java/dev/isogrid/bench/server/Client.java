package dev.isogrid.bench.server;

import dev.isogrid.bench.load.Entries;
import java.io.IOException;

/** A way to load a server. */
enum Client {
  HOT_ROD_RAW("raw Hot Rod 4.1, pipelined", Protocol.HOT_ROD),
  HOT_ROD_1("Infinispan's client, 1 thread", Protocol.HOT_ROD),
  HOT_ROD_22("Infinispan's client, 22 threads", Protocol.HOT_ROD),
  HOT_ROD_ASYNC("Infinispan's client, 64 asynchronous", Protocol.HOT_ROD),
  MEMCACHED_RAW("raw memcached text, pipelined", Protocol.MEMCACHED),
  SPYMEMCACHED("spymemcached, 22 threads", Protocol.MEMCACHED),
  RESP_RAW("raw RESP, pipelined", Protocol.RESP);

  private static final int THREADS = 22;
  private static final int OUTSTANDING = 64;

  private final String label;
  private final Protocol protocol;

  Client(String label, Protocol protocol) {
    this.label = label;
    this.protocol = protocol;
  }

  /** The name in reports. */
  String label() {
    return label;
  }

  /** The protocol of the client. */
  Protocol protocol() {
    return protocol;
  }

  /** Connects to a server's port. */
  Load open(int port, Entries entries, RawShape shape) throws IOException {
    return switch (this) {
      case HOT_ROD_RAW, MEMCACHED_RAW, RESP_RAW -> new RawLoad(port, protocol, entries, shape);
      case HOT_ROD_1 -> HotRodLoad.sync(port, entries, 1);
      case HOT_ROD_22 -> HotRodLoad.sync(port, entries, THREADS);
      case HOT_ROD_ASYNC -> HotRodLoad.async(port, entries, OUTSTANDING);
      case SPYMEMCACHED -> new SpymemcachedLoad(port, entries, THREADS);
    };
  }

  /**
   * The load of the raw clients.
   *
   * @param connections each with a thread of its own
   * @param depth requests per batch of a connection
   */
  record RawShape(int connections, int depth) {}
}
