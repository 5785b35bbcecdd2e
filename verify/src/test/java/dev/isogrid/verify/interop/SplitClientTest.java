package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.infinispan.client.hotrod.MetadataValue;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.configuration.ClientIntelligence;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.client.hotrod.exceptions.HotRodClientException;
import org.infinispan.commons.configuration.StringConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The official Hot Rod client at a server that has lost the majority of its cluster. */
@Tag("interop")
@Timeout(120)
class SplitClientTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String CACHE =
      """
      <distributed-cache mode="SYNC" owners="2" statistics="true">
        <encoding media-type="application/x-protostream"/>
        <partition-handling when-split="ALLOW_READ_WRITES" merge-policy="PREFERRED_NON_NULL"/>
      </distributed-cache>
      """;

  private static RemoteCacheManager client(ServerProcess server) {
    ConfigurationBuilder builder = new ConfigurationBuilder();
    builder.addServer().host("127.0.0.1").port(server.port());
    builder.clientIntelligence(ClientIntelligence.BASIC).socketTimeout(20_000).maxRetries(0);
    return new RemoteCacheManager(builder.build());
  }

  private static void signal(String name, List<ServerProcess> servers)
      throws IOException, InterruptedException {
    for (ServerProcess server : servers) {
      String[] command = {"kill", "-" + name, Long.toString(server.pid())};
      assertEquals(0, new ProcessBuilder(command).start().waitFor());
    }
  }

  @Test
  void client_atALoneServer_writesOnAndFindsThatEverywhereAfterwards() throws Exception {
    try (ServerCluster cluster = new ServerCluster("split", 3);
        RemoteCacheManager alone = client(cluster.servers().getFirst());
        HttpClient http = HttpClient.newHttpClient()) {
      List<ServerProcess> others = cluster.servers().subList(1, 3);
      RemoteCache<String, String> cache =
          alone.administration().getOrCreateCache("split", new StringConfiguration(CACHE));
      for (int i = 0; i < 100; i++) {
        cache.put("k" + i, "before" + i);
      }
      signal("STOP", others);
      try {
        Patience.await("writes without the majority", PATIENCE, () -> isDone(cache));
        write(cache, http, cluster.servers().getFirst());
      } finally {
        signal("CONT", others);
      }
      for (ServerProcess server : cluster.servers()) {
        try (RemoteCacheManager any = client(server)) {
          RemoteCache<String, String> there = any.getCache("split");
          Patience.await("the hand-over", PATIENCE, () -> isHandedOver(there));
          assertEquals("on", there.get("first"));
          assertEquals("two", there.get("new1"));
          assertNull(there.get("new2"));
        }
      }
      Patience.await("figures", PATIENCE, () -> metrics(http, cluster).contains("\"taken\""));
    }
  }

  private static boolean isDone(RemoteCache<String, String> cache) {
    try {
      cache.put("first", "on");
      return true;
    } catch (HotRodClientException notYet) {
      return false;
    }
  }

  private static void write(RemoteCache<String, String> cache, HttpClient http, ServerProcess at)
      throws Exception {
    assertEquals("on", cache.get("first"));
    assertNull(cache.putIfAbsent("new1", "one"));
    assertEquals("one", cache.get("new1"));
    MetadataValue<String> entry = cache.getWithMetadata("new1");
    assertTrue(cache.replaceWithVersion("new1", "two", entry.getVersion()));
    assertFalse(cache.replaceWithVersion("new1", "three", entry.getVersion()));
    cache.putAll(Map.of("new2", "x", "new3", "y"));
    assertEquals(Map.of("new2", "x", "new3", "y"), cache.getAll(Set.of("new2", "new3")));
    cache.remove("new2");
    assertFalse(cache.containsKey("new2"));
    URI uri = URI.create("http://127.0.0.1:%d/rest/v2/caches/split/byRest".formatted(at.port()));
    HttpRequest put =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "text/plain")
            .PUT(BodyPublishers.ofString("rest"))
            .build();
    assertEquals(204, http.send(put, BodyHandlers.ofString()).statusCode());
    HttpRequest get = HttpRequest.newBuilder(uri).header("Accept", "text/plain").build();
    assertEquals("rest", http.send(get, BodyHandlers.ofString()).body());
  }

  private static boolean isHandedOver(RemoteCache<String, String> cache) {
    try {
      return "rest".equals(cache.get("byRest"));
    } catch (HotRodClientException notYet) {
      return false;
    }
  }

  private static String metrics(HttpClient http, ServerCluster cluster) {
    URI uri =
        URI.create("http://127.0.0.1:%d/metrics".formatted(cluster.servers().getFirst().port()));
    String all =
        http.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).join().body();
    return all.lines()
        .filter(line -> line.startsWith("isogrid_split_entries_total") && !line.endsWith(" 0.0"))
        .reduce("", (a, b) -> a + "\n" + b);
  }
}
