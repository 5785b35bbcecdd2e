package dev.isogrid.bench.server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.server.hotrod.HotRodServer;
import org.infinispan.server.hotrod.configuration.HotRodServerConfigurationBuilder;

/**
 * {@link InfinispanServer} as a node of a cluster on this machine, with a distributed cache of two
 * owners: its TCP stack with a list of seeds in the place of multicast.
 */
final class InfinispanClusterServer {
  private InfinispanClusterServer() {}

  /**
   * Runs the server until the process ends.
   *
   * @param arguments the port for clients, the name of the cache, the port for other nodes, and the
   *     seeds as JGroups reads them
   */
  public static void main(String[] arguments) throws IOException {
    int port = Integer.parseInt(arguments[0]);
    String cache = arguments[1];
    System.setProperty("jgroups.bind.address", "127.0.0.1");
    System.setProperty("jgroups.bind.port", arguments[2]);
    String configuration =
        """
        <infinispan>
          <jgroups>
            <stack name="seeds" extends="tcp">
              <TCPPING initial_hosts="%s" port_range="0"
                  stack.combine="REPLACE" stack.position="MPING"/>
            </stack>
          </jgroups>
          <cache-container name="container">
            <transport cluster="bench" stack="seeds" node-name="n%d"/>
            <distributed-cache name="%s" owners="2" mode="SYNC">
              <encoding media-type="application/octet-stream"/>
              <state-transfer await-initial-transfer="false"/>
            </distributed-cache>
          </cache-container>
        </infinispan>
        """
            .formatted(arguments[3], port, cache);
    DefaultCacheManager container =
        new DefaultCacheManager(
            new ByteArrayInputStream(configuration.getBytes(StandardCharsets.UTF_8)));
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
    System.out.println(InfinispanServer.READY_TEXT + port);
  }
}
