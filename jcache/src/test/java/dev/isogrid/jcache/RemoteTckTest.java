package dev.isogrid.jcache;

import dev.isogrid.api.GridConfig;
import dev.isogrid.server.Protection;
import dev.isogrid.server.Server;
import dev.isogrid.server.ServerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.cache.Caching;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The TCK over the client of a server. Its own classes are serializable, so they are allowed. */
@Tag("deep")
class RemoteTckTest extends TckContract {
  private static final String SETTINGS =
      "infinispan.client.hotrod.java_serial_allowlist="
          + "domain.**,java.**,javax.cache.**,org.jsr107.**\n";

  @TempDir private static Path directory;

  private static Server server;

  @BeforeAll
  static void start() throws IOException {
    server = Server.start(ServerSettings.local(0, GridConfig.builder().build(), Protection.NONE));
    Path settings = Files.writeString(directory.resolve("client.properties"), SETTINGS);
    System.setProperty(IsogridCachingProvider.DEFAULT_PROPERTIES, settings.toString());
    System.setProperty(
        IsogridCachingProvider.DEFAULT_URI, "hotrod://127.0.0.1:" + server.address().getPort());
  }

  @AfterAll
  static void stop() {
    System.clearProperty(IsogridCachingProvider.DEFAULT_URI);
    System.clearProperty(IsogridCachingProvider.DEFAULT_PROPERTIES);
    Caching.getCachingProvider().close();
    server.close();
  }
}
