package dev.isogrid.bench.server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.infinispan.manager.DefaultCacheManager;

/**
 * {@link InfinispanServer} as a node of a cluster on this machine, with a distributed cache of two
 * owners.
 */
final class InfinispanClusterServer {
  private InfinispanClusterServer() {}

  /**
   * Runs the server until the process ends.
   *
   * @param arguments the port for clients, the name of the cache, the port for other nodes, and
   *     that of the first node
   */
  public static void main(String[] arguments) throws IOException {
    int port = Integer.parseInt(arguments[0]);
    String cache = arguments[1];
    InfinispanStack.bind(Integer.parseInt(arguments[2]));
    String configuration =
        """
        <infinispan>%s
          <cache-container name="container">
            <transport cluster="bench" stack="%s" node-name="n%d"/>
            <distributed-cache name="%s" owners="2" mode="SYNC">
              <encoding media-type="application/octet-stream"/>
              <state-transfer await-initial-transfer="false"/>
            </distributed-cache>
          </cache-container>
        </infinispan>
        """
            .formatted(
                InfinispanStack.element(List.of(Integer.parseInt(arguments[3]))),
                InfinispanStack.NAME,
                port,
                cache);
    DefaultCacheManager container =
        new DefaultCacheManager(
            new ByteArrayInputStream(configuration.getBytes(StandardCharsets.UTF_8)));
    InfinispanServer.serve(container, cache, port);
  }
}
