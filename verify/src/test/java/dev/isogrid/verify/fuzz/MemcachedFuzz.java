package dev.isogrid.verify.fuzz;

import dev.isogrid.server.memcached.MemcachedProtocol;

/** A fuzz target for memcached connections. */
public final class MemcachedFuzz {
  private static final FuzzedServer SERVER = new FuzzedServer();
  private static final MemcachedProtocol PROTOCOL = new MemcachedProtocol(SERVER.context());

  private MemcachedFuzz() {}

  /** Sends one input. */
  public static void fuzzerTestOneInput(byte[] input) {
    SERVER.feed(PROTOCOL::install, input, FuzzedServer.Connection::isOpen);
  }
}
