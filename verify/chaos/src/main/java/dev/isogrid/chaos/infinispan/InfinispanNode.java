package dev.isogrid.chaos.infinispan;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.infinispan.health.ClusterHealth;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.server.hotrod.HotRodServer;
import org.infinispan.server.hotrod.configuration.HotRodServerConfigurationBuilder;

/**
 * A node of an Infinispan cluster in a process of its own: a synchronous distributed cache with two
 * owners. The minority of a split denies operations. The TCP stack has a list of seeds instead of
 * multicast, and the Hot Rod endpoint serves clients. Runs on the class path of the module {@code
 * isogrid-bench-infinispan}.
 */
public final class InfinispanNode {
  /** The beginning of the line that reports that clients can connect. */
  public static final String READY_TEXT = "infinispan ready on ";

  private static final String CACHE = "default";

  private InfinispanNode() {}

  /**
   * Runs the node until the process ends.
   *
   * @param arguments name, host, ports for clients, nodes and health queries, and the seeds in the
   *     form of JGroups
   */
  public static void main(String[] arguments) throws IOException {
    int i = 0;
    String name = arguments[i++];
    String host = arguments[i++];
    int port = Integer.parseInt(arguments[i++]);
    System.setProperty("jgroups.bind.address", host);
    System.setProperty("jgroups.bind.port", arguments[i++]);
    int healthPort = Integer.parseInt(arguments[i++]);
    String configuration = configuration(name, arguments[i]);
    DefaultCacheManager container =
        new DefaultCacheManager(
            new ByteArrayInputStream(configuration.getBytes(StandardCharsets.UTF_8)));
    container.getCache(CACHE);
    HotRodServer server = new HotRodServer();
    server.start(
        new HotRodServerConfigurationBuilder()
            .host(host)
            .port(port)
            .defaultCacheName(CACHE)
            .build(),
        container);
    server.postStart();
    answerHealth(container, new InetSocketAddress(host, healthPort));
    System.out.println(READY_TEXT + host + ":" + port);
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().unstarted(() -> stop(server, container)));
  }

  private static String configuration(String name, String seeds) {
    return """
    <infinispan>
      <jgroups>
        <stack name="seeds" extends="tcp">
          <TCPPING initial_hosts="%s" port_range="0"
              stack.combine="REPLACE" stack.position="MPING"/>
        </stack>
      </jgroups>
      <cache-container name="container">
        <transport cluster="chaos" stack="seeds" node-name="%s"/>
        <distributed-cache name="default" owners="2" mode="SYNC">
          <encoding media-type="application/octet-stream"/>
          <partition-handling when-split="DENY_READ_WRITES"/>
        </distributed-cache>
      </cache-container>
    </infinispan>
    """
        .formatted(seeds, name);
  }

  private static void stop(HotRodServer server, DefaultCacheManager container) {
    server.stop();
    container.stop();
  }

  private static void answerHealth(DefaultCacheManager container, InetSocketAddress address)
      throws IOException {
    HttpServer http = HttpServer.create(address, 0);
    http.createContext(
        "/",
        exchange -> {
          ClusterHealth health = container.getHealth().getClusterHealth();
          byte[] body =
              "{\"cluster_health\":{\"health_status\":\"%s\",\"number_of_nodes\":%d}}"
                  .formatted(health.getHealthStatus(), health.getNumberOfNodes())
                  .getBytes(StandardCharsets.US_ASCII);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    http.start();
  }
}
