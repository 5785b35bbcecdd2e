package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.testkit.Await;
import java.util.List;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.client.hotrod.configuration.NearCacheMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Three servers, and listeners and near caches of the official client, while one is killed. */
@Tag("interop")
@Tag("deep")
class ServerClusterListenerTest {
  private static final int KEYS = 200;
  private static final int CLIENT_TIMEOUT_MILLIS = 20_000;

  private ServerCluster cluster;
  private RemoteCacheManager writing;
  private RemoteCache<String, String> writer;

  @BeforeEach
  void start() {
    cluster = new ServerCluster("listeners", 3);
    writing = new RemoteCacheManager(builder().build());
    writer = writing.getCache("default");
  }

  private ConfigurationBuilder builder() {
    ConfigurationBuilder builder = new ConfigurationBuilder();
    for (ServerProcess server : cluster.servers()) {
      builder.addServer().host("127.0.0.1").port(server.port());
    }
    builder.socketTimeout(CLIENT_TIMEOUT_MILLIS);
    return builder;
  }

  @AfterEach
  void stop() {
    writing.close();
    cluster.close();
  }

  private void write(String prefix) {
    for (int i = 0; i < KEYS; i++) {
      writer.put("key" + i, prefix + i);
    }
  }

  private void awaitLastVersions(HeardEvents heard) {
    for (int i = 0; i < KEYS; i++) {
      String key = "key" + i;
      long version = writer.getWithMetadata(key).getVersion();
      Await.until(key, () -> heard.version(key) == version);
    }
    List<String> older = heard.events.stream().filter(e -> e.startsWith("OLDER")).toList();
    assertEquals(List.of(), older);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void listener_whileAServerIsKilled_hearsOfAllWrites(int killed) {
    try (RemoteCacheManager listening = new RemoteCacheManager(builder().build())) {
      RemoteCache<String, String> cache = listening.getCache("default");
      HeardEvents heard = new HeardEvents();
      cache.addClientListener(heard);
      write("a");
      write("b");
      Await.until("all events", () -> heard.events.size() >= 2 * KEYS);
      assertEquals(2 * KEYS, heard.events.size());
      awaitLastVersions(heard);
      cluster.servers().remove(killed).kill();
      write("c");
      write("d");
      awaitLastVersions(heard);
      int before = heard.events.size();
      write("e");
      Await.until("each event", () -> heard.events.size() >= before + KEYS);
      assertEquals(before + KEYS, heard.events.size());
      awaitLastVersions(heard);
    }
  }

  @Test
  void clear_isToldOncePerEntry() {
    try (RemoteCacheManager listening = new RemoteCacheManager(builder().build())) {
      RemoteCache<String, String> cache = listening.getCache("default");
      write("a");
      HeardEvents heard = new HeardEvents();
      cache.addClientListener(heard);
      assertEquals(KEYS, heard.events.size());
      writer.clear();
      Await.until("removals", () -> heard.events.size() >= 2 * KEYS);
      assertEquals(KEYS, heard.events.stream().filter(e -> e.startsWith("removed")).count());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nearCache_whileAServerIsKilled_getsWhatOthersWrote(boolean usesBloomFilter) {
    ConfigurationBuilder near = builder();
    near.remoteCache("default")
        .nearCacheMode(NearCacheMode.INVALIDATED)
        .nearCacheMaxEntries(1000)
        .nearCacheUseBloomFilter(usesBloomFilter);
    near.statistics().enable();
    try (RemoteCacheManager listening = new RemoteCacheManager(near.build())) {
      RemoteCache<String, String> nearby = listening.getCache("default");
      write("a");
      awaitValues(nearby, "a");
      write("b");
      awaitValues(nearby, "b");
      cluster.servers().remove(0).kill();
      write("c");
      awaitValues(nearby, "c");
      write("d");
      awaitValues(nearby, "d");
      assertTrue(nearby.clientStatistics().getNearCacheHits() > 0);
    }
  }

  private static void awaitValues(RemoteCache<String, String> nearby, String prefix) {
    for (int i = 0; i < KEYS; i++) {
      String key = "key" + i;
      String expected = prefix + i;
      Await.until(key, () -> expected.equals(nearby.get(key)));
      assertEquals(expected, nearby.get(key));
    }
  }
}
