package dev.isogrid.bench.server;

import java.nio.file.Path;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.server.hotrod.HotRodServer;
import org.infinispan.server.hotrod.configuration.HotRodServerConfigurationBuilder;

/**
 * Infinispan's Hot Rod endpoint in a process of its own, assembled from its libraries. It is
 * neither its distribution nor clustered, so it lacks parts that would only take time. Runs on the
 * class path of the module {@code isogrid-bench-infinispan}.
 */
final class InfinispanServer {
  /** The beginning of the line that reports that clients can connect. */
  static final String READY_TEXT = "infinispan ready on ";

  /** The media type of bytes without a meaning. */
  static final String BYTES = MediaType.APPLICATION_OCTET_STREAM_TYPE;

  private static final int FOLDER_ARGUMENT = 3;
  private static final int FORCED_ARGUMENT = 4;

  private InfinispanServer() {}

  /**
   * Runs the server until the process ends.
   *
   * @param arguments the port, the name of the cache, and its media type if it is not that of
   *     bytes; with a file store its folder, and whether each write is forced
   */
  public static void main(String[] arguments) {
    int port = Integer.parseInt(arguments[0]);
    String cache = arguments[1];
    DefaultCacheManager container =
        new DefaultCacheManager(new GlobalConfigurationBuilder().nonClusteredDefault().build());
    String mediaType = arguments.length > 2 ? arguments[2] : BYTES;
    ConfigurationBuilder configuration = cacheConfiguration(mediaType);
    if (arguments.length > FORCED_ARGUMENT) {
      Path folder = Path.of(arguments[FOLDER_ARGUMENT]);
      addStore(configuration, folder, Boolean.parseBoolean(arguments[FORCED_ARGUMENT]));
    }
    container.defineConfiguration(cache, configuration.build());
    serve(container, cache, port);
  }

  /** Lets clients connect to a cache of a container. */
  static void serve(DefaultCacheManager container, String cache, int port) {
    container.getCache(cache);
    HotRodServer server = new HotRodServer();
    server.start(
        new HotRodServerConfigurationBuilder()
            .host("127.0.0.1")
            .port(port)
            .defaultCacheName(cache)
            .build(),
        container);
    server.postStart();
    System.out.println(READY_TEXT + port);
  }

  /** Its file store since version 12, which has the entries in memory as well. */
  private static void addStore(ConfigurationBuilder builder, Path folder, boolean isForced) {
    builder
        .persistence()
        .passivation(false)
        .addSoftIndexFileStore()
        .dataLocation(folder.resolve("data").toString())
        .indexLocation(folder.resolve("index").toString())
        .syncWrites(isForced)
        .preload(true)
        .purgeOnStartup(false);
  }

  private static ConfigurationBuilder cacheConfiguration(String mediaType) {
    ConfigurationBuilder builder = new ConfigurationBuilder();
    builder.clustering().cacheMode(CacheMode.LOCAL);
    builder.encoding().mediaType(mediaType);
    return builder;
  }
}
