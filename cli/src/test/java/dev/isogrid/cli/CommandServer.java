package dev.isogrid.cli;

import dev.isogrid.api.GridConfig;
import dev.isogrid.server.Protection;
import dev.isogrid.server.Server;
import dev.isogrid.server.ServerSettings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A real server on a free port of this machine. */
final class CommandServer implements AutoCloseable {
  private final Server server;

  CommandServer(Protection protection) {
    this(protection, null);
  }

  /**
   * A server that keeps what outlives it.
   *
   * @param data where; null to keep nothing
   */
  CommandServer(Protection protection, @Nullable Path data) {
    ServerSettings defaults = ServerSettings.defaults();
    server =
        Server.start(
            new ServerSettings(
                defaults.bindAddress(),
                0,
                ServerSettings.OFF,
                ServerSettings.External.NONE,
                GridConfig.builder().nodeName("node-a").build(),
                data,
                null,
                defaults.caches(),
                defaults.protocols(),
                protection,
                defaults.warnings()));
  }

  String url() {
    return "http://127.0.0.1:" + server.address().getPort();
  }

  @Override
  public void close() {
    server.close();
  }
}
