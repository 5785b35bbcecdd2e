package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.infinispan.client.hotrod.MetadataValue;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.RemoteCounterManagerFactory;
import org.infinispan.client.hotrod.configuration.ClientIntelligence;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.commons.api.CacheContainerAdmin;
import org.infinispan.commons.configuration.StringConfiguration;
import org.infinispan.counter.api.CounterConfiguration;
import org.infinispan.counter.api.CounterManager;
import org.infinispan.counter.api.CounterType;
import org.infinispan.counter.api.StrongCounter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Operations of the official Hot Rod client on three servers that stay. */
@Tag("interop")
class ServerClusterTest extends ThreeServers {
  private static final int THREADS = 8;

  @Test
  void client_learnsTheOwnersOfAllSegments() {
    putEntries("k");
    Map<SocketAddress, Set<Integer>> owners = cache.getCacheTopologyInfo().getSegmentsPerServer();
    assertEquals(3, owners.size());
    Set<Integer> segments = new HashSet<>();
    owners.values().forEach(segments::addAll);
    assertEquals(256, segments.size());
  }

  @Test
  void asynchronousCache_madeByItsTemplate_isReadAndWrittenByAllServers() {
    RemoteCache<String, String> async =
        manager.administration().getOrCreateCache("async", "org.infinispan.DIST_ASYNC");
    Map<String, String> entries =
        IntStream.range(0, ENTRIES).boxed().collect(Collectors.toMap(i -> "k" + i, i -> "v" + i));
    async.putAll(entries);
    assertEquals(entries, async.getAll(entries.keySet()));
    assertEquals(ENTRIES, async.size());
    MetadataValue<String> first = async.getWithMetadata("k1");
    assertTrue(async.replaceWithVersion("k1", "w", first.getVersion()));
    assertFalse(async.replaceWithVersion("k1", "x", first.getVersion()));
    assertEquals("w", async.get("k1"));
    manager.administration().removeCache("async");
  }

  @Test
  void invalidationCache_onEachServer_losesWhatAnotherServerWrites() {
    List<RemoteCacheManager> clients = new ArrayList<>();
    List<RemoteCache<String, String>> caches = new ArrayList<>();
    try {
      for (ServerProcess server : servers) {
        ConfigurationBuilder builder = new ConfigurationBuilder();
        builder.addServer().host("127.0.0.1").port(server.port());
        builder.clientIntelligence(ClientIntelligence.BASIC);
        RemoteCacheManager client = new RemoteCacheManager(builder.build());
        clients.add(client);
        caches.add(
            client
                .administration()
                .withFlags(CacheContainerAdmin.AdminFlag.VOLATILE)
                .getOrCreateCache(
                    "invalidated", new StringConfiguration("<invalidation-cache mode=\"SYNC\"/>")));
      }
      caches.get(0).put("k", "a");
      assertEquals("a", caches.get(0).get("k"));
      assertNull(caches.get(1).get("k"));
      caches.get(1).put("k", "b");
      assertNull(caches.get(0).get("k"));
      caches.get(2).remove("k");
      assertNull(caches.get(1).get("k"));
    } finally {
      clients.forEach(RemoteCacheManager::close);
    }
  }

  @Test
  void operations_onOneAndManyKeys_seeAllEntries() {
    Map<String, String> entries = putEntries("k");
    assertEquals(ENTRIES, cache.size());
    assertEquals(entries, cache.getAll(entries.keySet()));
    assertEquals(entries.keySet(), new HashSet<>(cache.keySet()));
    Map<String, String> more =
        IntStream.range(0, ENTRIES).boxed().collect(Collectors.toMap(i -> "m" + i, i -> "w" + i));
    cache.putAll(more);
    assertEquals(more, cache.getAll(more.keySet()));
    assertEquals(2 * ENTRIES, cache.size());
    cache.clear();
    assertEquals(0, cache.size());
  }

  @Test
  void conditionalWrites_ofManyThreads_loseNothing() {
    cache.put("counter", "0");
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int thread = 0; thread < THREADS; thread++) {
        threads.submit(() -> {
          for (int i = 0; i < 50; i++) {
            increment();
          }
        });
      }
    }
    assertEquals(Integer.toString(50 * THREADS), cache.get("counter"));
  }

  private void increment() {
    MetadataValue<String> now;
    String next;
    do {
      now = cache.getWithMetadata("counter");
      next = Integer.toString(Integer.parseInt(now.getValue()) + 1);
    } while (!cache.replaceWithVersion("counter", next, now.getVersion()));
  }

  @Test
  void counterListener_hearsOfChangesByEveryServer() throws InterruptedException {
    CounterManager counters = RemoteCounterManagerFactory.asCounterManager(manager);
    List<StrongCounter> all = new ArrayList<>();
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    for (int i = 0; i < 6; i++) {
      String name = "l" + i;
      counters.defineCounter(
          name, CounterConfiguration.builder(CounterType.UNBOUNDED_STRONG).build());
      StrongCounter counter = counters.getStrongCounter(name);
      counter.addListener(event -> events.add(name + "=" + event.getNewValue()));
      all.add(counter);
    }
    for (StrongCounter counter : all) {
      counter.sync().incrementAndGet();
    }
    Set<String> heard = new HashSet<>();
    for (int i = 0; i < all.size(); i++) {
      heard.add(String.valueOf(events.poll(120, TimeUnit.SECONDS)));
    }
    assertEquals(Set.of("l0=1", "l1=1", "l2=1", "l3=1", "l4=1", "l5=1"), heard);
  }

  @Test
  void streamedValue_thatIsTooLargeForAMessage_isRefused() throws IOException {
    byte[] part = new byte[1 << 20];
    Exception refused =
        assertThrows(
            Exception.class,
            () -> {
              try (OutputStream out = cache.streaming().put("k")) {
                for (int i = 0; i < 17; i++) {
                  out.write(part);
                }
              }
            });
    assertTrue(String.valueOf(refused).contains("streamed value too large"), refused::toString);
    // This client does not accept the answer to its next request after a refused chunk.
    try (RemoteCacheManager other = new RemoteCacheManager(toFirstServer().build())) {
      assertNull(other.getCache("default").streaming().get("k"));
    }
  }

  @Test
  void otherProtocols_seeTheSame() throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      for (ServerProcess server : servers) {
        String uri = "http://127.0.0.1:%d/rest/v2/caches/default/key".formatted(server.port());
        HttpRequest put =
            HttpRequest.newBuilder(URI.create(uri))
                .PUT(HttpRequest.BodyPublishers.ofString("from " + server.port()))
                .build();
        assertEquals(204, http.send(put, HttpResponse.BodyHandlers.discarding()).statusCode());
        for (ServerProcess other : servers) {
          String there = uri.replace(":" + server.port(), ":" + other.port());
          HttpRequest get = HttpRequest.newBuilder(URI.create(there)).build();
          assertEquals(
              "from " + server.port(), http.send(get, HttpResponse.BodyHandlers.ofString()).body());
        }
      }
    }
  }
}
