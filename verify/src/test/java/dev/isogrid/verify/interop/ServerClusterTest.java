package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.testkit.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.infinispan.client.hotrod.MetadataValue;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.RemoteCounterManagerFactory;
import org.infinispan.client.hotrod.configuration.ClientIntelligence;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.client.hotrod.exceptions.TransportException;
import org.infinispan.client.hotrod.multimap.RemoteMultimapCache;
import org.infinispan.client.hotrod.multimap.RemoteMultimapCacheManagerFactory;
import org.infinispan.commons.api.CacheContainerAdmin;
import org.infinispan.commons.configuration.StringConfiguration;
import org.infinispan.commons.util.CloseableIterator;
import org.infinispan.counter.api.CounterConfiguration;
import org.infinispan.counter.api.CounterManager;
import org.infinispan.counter.api.CounterType;
import org.infinispan.counter.api.StrongCounter;
import org.infinispan.counter.api.SyncStrongCounter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three servers and the official Hot Rod client for Java, which knows one of them at first. */
@Tag("interop")
class ServerClusterTest {
  private static final int SERVERS = 3;
  private static final int ENTRIES = 1000;

  /** How often an iteration is tried whose client may give up. */
  private static final int ATTEMPTS_MAX = 3;

  private static final int THREADS = 8;

  /** Longer than the cluster takes to replace a dead primary, and than an operation may wait. */
  private static final int CLIENT_TIMEOUT_MILLIS = 20_000;

  /** Shared by the tests up to the first that takes a server out of it; null if there is none. */
  private static @Nullable ServerCluster cluster;

  /** The servers that the cluster was started with. */
  private static List<ServerProcess> first = List.of();

  private List<ServerProcess> servers;
  private RemoteCacheManager manager;
  private RemoteCache<String, String> cache;

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

  private ConfigurationBuilder toFirstServer() {
    ConfigurationBuilder builder = new ConfigurationBuilder();
    builder.addServer().host("127.0.0.1").port(servers.get(0).port());
    builder.socketTimeout(CLIENT_TIMEOUT_MILLIS);
    return builder;
  }

  private Map<String, String> putEntries(String prefix) {
    Map<String, String> entries = new HashMap<>();
    List<CompletableFuture<String>> puts = new ArrayList<>();
    for (int i = 0; i < ENTRIES; i++) {
      entries.put(prefix + i, "v" + i);
      puts.add(cache.putAsync(prefix + i, "v" + i));
    }
    puts.forEach(CompletableFuture::join);
    return entries;
  }

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
  void serverThatStops_isNotNoticed() {
    Map<String, String> entries = putEntries("k");
    servers.remove(0).close();
    assertEquals(entries, cache.getAll(entries.keySet()));
    entries.putAll(putEntries("l"));
    assertEquals(entries, cache.getAll(entries.keySet()));
    assertEquals(2, cache.getCacheTopologyInfo().getSegmentsPerServer().size());
  }

  @Test
  void serverThatIsKilled_takesNothingWithIt() {
    Map<String, String> entries = putEntries("k");
    servers.remove(0).kill();
    for (Map.Entry<String, String> entry : entries.entrySet()) {
      assertEquals(entry.getValue(), cache.get(entry.getKey()));
    }
    entries.putAll(putEntries("l"));
    assertEquals(entries, cache.getAll(entries.keySet()));
  }

  @Test
  void iteration_whileAServerIsKilledAndOneJoins_seesEachEntryOnce() {
    String padding = "x".repeat(3000);
    Map<String, String> entries =
        IntStream.range(0, ENTRIES)
            .boxed()
            .collect(Collectors.toMap(i -> "k" + i, i -> i + padding));
    cache.putAll(entries);
    @Nullable Map<Object, Object> seen = null;
    for (int attempt = 0; seen == null && attempt < ATTEMPTS_MAX; attempt++) {
      seen = seenWhileAServerIsKilledAndOneJoins();
    }
    assertEquals(entries, seen);
  }

  /** Null if the client gave up: it may when it connects to a server that is gone. */
  private @Nullable Map<Object, Object> seenWhileAServerIsKilledAndOneJoins() {
    Map<Object, Object> seen = new HashMap<>();
    boolean hasJoined = false;
    try (CloseableIterator<Map.Entry<Object, Object>> iterator = cache.retrieveEntries(null, 10)) {
      while (iterator.hasNext()) {
        Map.Entry<Object, Object> entry = iterator.next();
        assertNull(seen.put(entry.getKey(), entry.getValue()), () -> "twice: " + entry.getKey());
        if (seen.size() == ENTRIES / 10) {
          servers.remove(1).kill();
        } else if (seen.size() == ENTRIES / 2) {
          Objects.requireNonNull(cluster).startAnother();
          hasJoined = true;
        }
      }
      return seen;
    } catch (TransportException refused) {
      if (!hasJoined) {
        Objects.requireNonNull(cluster).startAnother();
      }
      return null;
    }
  }

  /** Has threads do something again and again until the flag is set; returns when all are done. */
  private static void repeatWhileAServerDies(
      Runnable operation, LongAdder done, LongAdder unknown, Runnable kill) {
    AtomicBoolean ends = new AtomicBoolean();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int thread = 0; thread < THREADS; thread++) {
        threads.submit(() -> {
          while (!ends.get()) {
            try {
              operation.run();
              done.increment();
            } catch (RuntimeException failure) {
              unknown.increment();
            }
          }
        });
      }
      awaitMore(done, ENTRIES / 4);
      kill.run();
      awaitMore(done, ENTRIES / 4);
      ends.set(true);
    }
  }

  private static void awaitMore(LongAdder done, int count) {
    long enough = done.sum() + count;
    Await.until(count + " more operations", () -> done.sum() >= enough);
  }

  @Test
  void counters_whileAServerIsKilled_countNothingTwiceAndLoseNothing() {
    CounterManager counters = RemoteCounterManagerFactory.asCounterManager(manager);
    assertTrue(
        counters.defineCounter(
            "c", CounterConfiguration.builder(CounterType.UNBOUNDED_STRONG).build()));
    counters.defineCounter("w", CounterConfiguration.builder(CounterType.WEAK).build());
    SyncStrongCounter counter = counters.getStrongCounter("c").sync();
    Set<Long> answers = ConcurrentHashMap.newKeySet();
    LongAdder done = new LongAdder();
    LongAdder unknown = new LongAdder();
    repeatWhileAServerDies(
        () -> {
          long answer = counter.incrementAndGet();
          assertTrue(answers.add(answer), () -> "answered twice: " + answer);
        },
        done,
        unknown,
        () -> servers.remove(1).kill());
    long value = counter.getValue();
    String figures = "done=%s, unknown=%s, value=%d".formatted(done, unknown, value);
    assertTrue(value >= done.sum() && value <= done.sum() + unknown.sum(), figures);
    assertEquals(done.sum(), answers.size(), figures);
    counters.getWeakCounter("w").sync().add(7);
    assertEquals(7, counters.getWeakCounter("w").sync().getValue());
    assertTrue(counters.getCounterNames().containsAll(Set.of("c", "w")));
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
  void multimap_whileAServerIsKilled_keepsWhatWasPut() {
    RemoteMultimapCache<String, String> map =
        RemoteMultimapCacheManagerFactory.<String, String>from(manager).get("default");
    AtomicLong next = new AtomicLong();
    Set<String> put = ConcurrentHashMap.newKeySet();
    Set<String> tried = ConcurrentHashMap.newKeySet();
    LongAdder done = new LongAdder();
    LongAdder unknown = new LongAdder();
    repeatWhileAServerDies(
        () -> {
          long number = next.getAndIncrement();
          String key = "m" + number % 200;
          tried.add(key + "=" + number);
          map.put(key, Long.toString(number)).join();
          put.add(key + "=" + number);
        },
        done,
        unknown,
        () -> servers.remove(1).kill());
    Set<String> found = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      String key = "m" + i;
      map.get(key).join().forEach(value -> assertTrue(found.add(key + "=" + value)));
    }
    String figures = "done=%s, unknown=%s, found=%d".formatted(done, unknown, found.size());
    assertTrue(found.containsAll(put), figures);
    assertTrue(tried.containsAll(found), figures);
    assertEquals(found.size(), map.size().join(), figures);
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
    // This client does not take the answer to its next request after a refused chunk.
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
