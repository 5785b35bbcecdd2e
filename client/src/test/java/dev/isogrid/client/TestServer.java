package dev.isogrid.client;

import dev.isogrid.api.GridConfig;
import dev.isogrid.server.Protection;
import dev.isogrid.server.Server;
import dev.isogrid.server.ServerSettings;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A real server on a free port of this machine; with the system property {@value #EXTERNAL} the one
 * that listens to that port already, of whichever product. Tests that need a server of ours are
 * disabled then.
 */
final class TestServer implements AutoCloseable {
  static final String EXTERNAL = "isogrid.test.hotrod.port";

  private final @Nullable Server server;
  private final int port;

  TestServer() {
    this(Integer.getInteger(EXTERNAL));
  }

  private TestServer(@Nullable Integer external) {
    server = external == null ? started(0, Protection.NONE) : null;
    port = external == null ? Objects.requireNonNull(server).address().getPort() : external;
  }

  TestServer(int port) {
    this(port, Protection.NONE);
  }

  TestServer(int port, Protection protection) {
    server = started(port, protection);
    this.port = server.address().getPort();
  }

  private static Server started(int port, Protection protection) {
    return Server.start(ServerSettings.local(port, GridConfig.builder().build(), protection));
  }

  int port() {
    return port;
  }

  /** A client that gives a busy machine time. */
  ClientConfig.Builder client() {
    return ClientConfig.builder()
        .addServer("127.0.0.1", port())
        .connectTimeoutMillis(20_000)
        .operationTimeoutMillis(20_000); // other processes may have the processors
  }

  /** Ends it before its block does. */
  void stop() {
    close();
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
  }
}
