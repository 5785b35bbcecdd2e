package dev.isogrid.bench.server;

import dev.isogrid.bench.load.BinaryWire;
import dev.isogrid.bench.load.Entries;
import dev.isogrid.bench.load.MultiGetWire;
import dev.isogrid.bench.load.Wire;
import java.io.IOException;

/** A way to load a server. */
enum Client {
  HOT_ROD_RAW("raw Hot Rod 4.1, pipelined", Protocol.HOT_ROD),
  HOT_ROD_1("Infinispan's client, 1 thread", Protocol.HOT_ROD),
  HOT_ROD_22("Infinispan's client, 22 threads", Protocol.HOT_ROD),
  HOT_ROD_ASYNC("Infinispan's client, 64 asynchronous", Protocol.HOT_ROD),
  MEMCACHED_RAW("raw memcached text, pipelined", Protocol.MEMCACHED),
  MEMCACHED_50("raw memcached text, 50 connections", Protocol.MEMCACHED),
  MEMCACHED_MULTI("raw memcached text, 64 keys per get", Protocol.MEMCACHED),
  MEMCACHED_BINARY_50("raw memcached binary, 50 connections", Protocol.MEMCACHED),
  MEMCACHED_BINARY_MULTI("raw memcached binary, 64 quiet gets", Protocol.MEMCACHED),
  SPYMEMCACHED("spymemcached, 22 threads", Protocol.MEMCACHED),
  REST_50("raw REST, 50 connections", Protocol.REST),
  RESP_RAW("raw RESP, pipelined", Protocol.RESP);

  private static final int THREADS = 22;
  private static final int OUTSTANDING = 64;
  private static final RawShape MANY = new RawShape(50, 1);

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
      case HOT_ROD_RAW, MEMCACHED_RAW, RESP_RAW -> new RawLoad(port, this::wire, entries, shape);
      case MEMCACHED_50, MEMCACHED_BINARY_50, REST_50 ->
          new RawLoad(port, this::wire, entries, MANY);
      case MEMCACHED_MULTI, MEMCACHED_BINARY_MULTI ->
          new RawLoad(port, this::wire, entries, new RawShape(shape.connections(), OUTSTANDING));
      case HOT_ROD_1 -> HotRodLoad.sync(port, entries, 1);
      case HOT_ROD_22 -> HotRodLoad.sync(port, entries, THREADS);
      case HOT_ROD_ASYNC -> HotRodLoad.async(port, entries, OUTSTANDING);
      case SPYMEMCACHED -> new SpymemcachedLoad(port, entries, THREADS);
    };
  }

  private Wire wire(int valueSize) {
    return switch (this) {
      case MEMCACHED_MULTI -> new MultiGetWire(valueSize);
      case MEMCACHED_BINARY_50 -> new BinaryWire(false);
      case MEMCACHED_BINARY_MULTI -> new BinaryWire(true);
      default -> protocol.wire(valueSize);
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
