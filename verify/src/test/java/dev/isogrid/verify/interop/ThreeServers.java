package dev.isogrid.verify.interop;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Three servers and the official Hot Rod client for Java, which knows one of them at first. Tests
 * share the servers until one of the tests stops a server.
 */
abstract class ThreeServers {
  private static final int SERVERS = 3;
  static final int ENTRIES = 1000;

  /** Longer than the cluster takes to replace a dead primary, and than an operation may wait. */
  private static final int CLIENT_TIMEOUT_MILLIS = 20_000;

  /** Shared by the tests up to the first that stops one of its servers; null if there is none. */
  static @Nullable ServerCluster cluster;

  /** The servers that the cluster was started with. */
  private static List<ServerProcess> first = List.of();

  List<ServerProcess> servers;
  RemoteCacheManager manager;
  RemoteCache<String, String> cache;

  @BeforeEach
  void start() {
    if (cluster == null) {
      cluster = new ServerCluster("interop", SERVERS);
      first = List.copyOf(cluster.servers());
    }
    servers = cluster.servers();
    manager = new RemoteCacheManager(toFirstServer().build());
    cache = manager.getCache("default");
    cache.clear();
  }

  @AfterEach
  void stop() {
    manager.close();
    if (!servers.equals(first)) {
      stopCluster();
    }
  }

  @AfterAll
  static void stopCluster() {
    if (cluster != null) {
      cluster.close();
      cluster = null;
    }
  }

  /** The configuration of a client that knows the first server only. */
  final ConfigurationBuilder toFirstServer() {
    ConfigurationBuilder builder = new ConfigurationBuilder();
    builder.addServer().host("127.0.0.1").port(servers.get(0).port());
    builder.socketTimeout(CLIENT_TIMEOUT_MILLIS);
    return builder;
  }

  /** Puts many entries whose keys begin alike; returns them. */
  final Map<String, String> putEntries(String prefix) {
    Map<String, String> entries = new HashMap<>();
    List<CompletableFuture<String>> puts = new ArrayList<>();
    for (int i = 0; i < ENTRIES; i++) {
      entries.put(prefix + i, "v" + i);
      puts.add(cache.putAsync(prefix + i, "v" + i));
    }
    puts.forEach(CompletableFuture::join);
    return entries;
  }
}
