package dev.isogrid.bench.infinispan.rest;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Objects;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.lifecycle.ComponentStatus;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.rest.RestServer;
import org.infinispan.rest.configuration.RestServerConfigurationBuilder;
import org.infinispan.server.core.ServerManagement;
import org.jspecify.annotations.Nullable;

/**
 * Infinispan's REST endpoint in a process of its own, assembled from its libraries: one local heap
 * cache of bytes, without security. It lacks parts of its distribution that would only take time.
 */
final class InfinispanRestServer {
  private InfinispanRestServer() {}

  /**
   * Runs the server until the process ends.
   *
   * @param arguments the port, and the name of the cache
   */
  public static void main(String[] arguments) {
    int port = Integer.parseInt(arguments[0]);
    String cache = arguments[1];
    DefaultCacheManager container =
        new DefaultCacheManager(new GlobalConfigurationBuilder().nonClusteredDefault().build());
    ConfigurationBuilder configuration = new ConfigurationBuilder();
    configuration.clustering().cacheMode(CacheMode.LOCAL);
    configuration.encoding().mediaType(MediaType.APPLICATION_OCTET_STREAM_TYPE);
    container.defineConfiguration(cache, configuration.build());
    container.getCache(cache);
    RestServer server = new RestServer();
    server.setServerManagement(management(container), false);
    server.start(
        new RestServerConfigurationBuilder().host("127.0.0.1").port(port).build(), container);
    server.postStart();
    System.out.println("infinispan ready on " + port);
  }

  /** Answers the endpoint in place of a server around it, which runs and has no other parts. */
  private static ServerManagement management(DefaultCacheManager container) {
    return (ServerManagement)
        Objects.requireNonNull(
            Proxy.newProxyInstance(
                ServerManagement.class.getClassLoader(),
                new Class<?>[] {ServerManagement.class},
                (_, method, _) -> answer(method, container)));
  }

  private static @Nullable Object answer(Method method, DefaultCacheManager container) {
    return switch (method.getName()) {
      case "getStatus" -> ComponentStatus.RUNNING;
      case "getCacheManager" -> container;
      default -> method.getReturnType() == Map.class ? Map.of() : null;
    };
  }
}
