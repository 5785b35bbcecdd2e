package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.testkit.Await;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** A client of two clusters. */
class ClusterSwitchTest {
  @Test
  void switchToCluster_usesTheOtherOne_andBack() {
    try (TestServer here = new TestServer();
        TestServer there = new TestServer();
        RemoteCacheManager manager =
            new RemoteCacheManager(
                here.client()
                    .nearCache("default", NearCacheConfig.invalidated(10))
                    .addCluster("there")
                    .addClusterNode("127.0.0.1", there.port())
                    .build())) {
      RemoteCache<String, String> cache = Objects.requireNonNull(manager.getCache("default"));
      assertEquals(RemoteCacheManager.DEFAULT_CLUSTER, manager.currentClusterName());
      cache.put("k", "here");
      assertTrue(manager.switchToCluster("there"));
      assertFalse(manager.switchToCluster("there"));
      assertEquals("there", manager.currentClusterName());
      // The connection takes the near entries with it.
      Await.until("no entry of the first cluster", () -> cache.get("k") == null);
      cache.put("k", "there");
      assertEquals("there", cache.get("k"));
      assertTrue(manager.switchToDefaultCluster());
      Await.until("the entry of the first cluster", () -> "here".equals(cache.get("k")));
      assertThrows(IllegalArgumentException.class, () -> manager.switchToCluster("none"));
    }
  }

  @Test
  void loss_ofAllServers_switchesByItself() throws InterruptedException {
    EntryListenerTest.Heard heard = new EntryListenerTest.Heard();
    try (TestServer here = new TestServer();
        TestServer there = new TestServer();
        RemoteCacheManager manager =
            new RemoteCacheManager(
                here.client()
                    .operationTimeoutMillis(30_000)
                    .addCluster("there")
                    .addClusterNode("127.0.0.1", there.port())
                    .build())) {
      RemoteCache<String, String> cache = Objects.requireNonNull(manager.getCache("default"));
      cache.addClientListener(heard, ListenerOptions.DEFAULT.withState());
      cache.put("k", "here");
      assertEquals("CREATED k", heard.next());
      here.stop();
      assertNull(cache.get("k"));
      assertEquals("there", manager.currentClusterName());
      cache.put("other", "there");
      String event = heard.next();
      while (event.startsWith("interrupted")) {
        event = heard.next();
      }
      assertTrue(event.startsWith("CREATED other"), event);
    }
  }

  @Test
  void properties_nameClusters() {
    Properties properties = new Properties();
    properties.setProperty("infinispan.client.hotrod.cluster.siteB", "b1:1;b2:2");
    ClientConfig config = ClientConfig.builder().withProperties(properties).build();
    assertEquals(
        Map.of("siteB", List.of(new ServerAddress("b1", 1), new ServerAddress("b2", 2))),
        config.clusters());
    ClientConfig.Builder empty = ClientConfig.builder().addCluster("none").and();
    assertThrows(IllegalArgumentException.class, empty::build);
  }
}
