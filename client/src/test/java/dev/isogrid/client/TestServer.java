package dev.isogrid.client;

import dev.isogrid.api.GridConfig;
import dev.isogrid.server.Protection;
import dev.isogrid.server.Server;
import dev.isogrid.server.ServerSettings;

/** A real server on a free port of this machine. */
final class TestServer implements AutoCloseable {
  private final Server server;

  TestServer() {
    this(0);
  }

  TestServer(int port) {
    this(port, Protection.NONE);
  }

  TestServer(int port, Protection protection) {
    ServerSettings defaults = ServerSettings.defaults();
    server =
        Server.start(
            new ServerSettings(
                defaults.bindAddress(),
                port,
                ServerSettings.OFF,
                ServerSettings.External.NONE,
                GridConfig.builder().build(),
                null,
                defaults.caches(),
                defaults.protocols(),
                protection,
                defaults.warnings()));
  }

  int port() {
    return server.address().getPort();
  }

  /** A client that gives a busy machine time. */
  ClientConfig.Builder client() {
    return ClientConfig.builder()
        .addServer("127.0.0.1", port())
        .connectTimeoutMillis(20_000)
        .operationTimeoutMillis(20_000);
  }

  /** Ends it before its block does. */
  void stop() {
    close();
  }

  @Override
  public void close() {
    server.close();
  }
}
