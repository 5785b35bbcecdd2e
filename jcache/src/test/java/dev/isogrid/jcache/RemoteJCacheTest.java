package dev.isogrid.jcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.client.ClientConfig;
import dev.isogrid.client.RemoteCache;
import dev.isogrid.client.RemoteCacheManager;
import dev.isogrid.server.Protection;
import dev.isogrid.server.Server;
import dev.isogrid.server.ServerSettings;
import dev.isogrid.testkit.Await;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.FactoryBuilder;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** JCaches of two managers over the client of one server. */
class RemoteJCacheTest {
  private static final int INCREMENTS = 100;

  private static final IsogridCachingProvider provider = new IsogridCachingProvider();
  private static Server server;
  private static RemoteCacheManager client;
  private static CacheManager byUri;
  private static CacheManager byClient;

  @BeforeAll
  static void start() {
    ServerSettings defaults = ServerSettings.defaults();
    server =
        Server.start(
            new ServerSettings(
                defaults.bindAddress(),
                0,
                ServerSettings.OFF,
                ServerSettings.External.NONE,
                GridConfig.builder().build(),
                null,
                null,
                defaults.caches(),
                defaults.protocols(),
                Protection.NONE,
                defaults.warnings()));
    URI uri = URI.create("hotrod://127.0.0.1:" + server.address().getPort());
    Properties patient = new Properties(); // other processes may have the processors
    patient.put("infinispan.client.hotrod.socket_timeout", "20000");
    byUri = provider.getCacheManager(uri, null, patient);
    client = new RemoteCacheManager(ClientConfig.of(uri.toString()));
    Properties properties = new Properties();
    properties.put(IsogridCachingProvider.CLIENT, client);
    byClient = provider.getCacheManager(URI.create("isogrid:servers"), null, properties);
  }

  @AfterAll
  static void stop() {
    provider.close();
    client.close();
    server.close();
  }

  private static MutableConfiguration<String, Integer> numbers() {
    return new MutableConfiguration<String, Integer>()
        .setTypes(String.class, Integer.class)
        .setStatisticsEnabled(true);
  }

  @Test
  void operations_areThoseOfTheServersCache() {
    Cache<String, Integer> cache = byUri.createCache("operations", numbers());
    assertNull(cache.getAndPut("a", 1));
    assertEquals(1, cache.getAndPut("a", 2));
    assertFalse(cache.putIfAbsent("a", 3));
    assertTrue(cache.putIfAbsent("b", 3));
    assertFalse(cache.replace("a", 1, 9));
    assertTrue(cache.replace("a", 2, 4));
    assertEquals(4, cache.getAndReplace("a", 5));
    cache.putAll(Map.of("c", 7, "d", 8));
    assertEquals(Map.of("a", 5, "c", 7), cache.getAll(Set.of("a", "c", "none")));
    assertFalse(cache.remove("a", 4));
    assertTrue(cache.remove("a", 5));
    assertEquals(3, cache.getAndRemove("b"));
    assertFalse(cache.containsKey("b"));
    Map<String, Integer> rest = new HashMap<>();
    cache.forEach(entry -> rest.put(entry.getKey(), entry.getValue()));
    assertEquals(Map.of("c", 7, "d", 8), rest);
    RemoteCache<String, Integer> same = client.getCache("operations");
    assertNotNull(same);
    assertEquals(7, same.get("c"));
    cache.clear();
    assertEquals(0, same.size());
  }

  @Test
  void invoke_ofTwoManagersAtOnce_losesNoUpdate() throws Exception {
    List<Cache<String, Integer>> caches = new ArrayList<>();
    for (CacheManager manager : List.of(byUri, byClient)) {
      caches.add(manager.createCache("counts", numbers()));
    }
    caches.getFirst().put("n", 0);
    try (ExecutorService executor = Executors.newCachedThreadPool()) {
      List<Future<?>> all = new ArrayList<>();
      for (Cache<String, Integer> cache : caches) {
        all.add(executor.submit(() -> increment(cache)));
      }
      for (Future<?> each : all) {
        each.get(2, TimeUnit.MINUTES);
      }
    }
    assertEquals(2 * INCREMENTS, caches.getFirst().get("n"));
  }

  private static void increment(Cache<String, Integer> cache) {
    for (int i = 0; i < INCREMENTS; i++) {
      cache.invoke(
          "n",
          (entry, arguments) -> {
            entry.setValue(entry.getValue() + 1);
            return null;
          });
    }
  }

  /** Keeps the keys of entries whose time is over. */
  public static final class Expired implements CacheEntryExpiredListener<String, Integer> {
    static final List<String> KEYS = new CopyOnWriteArrayList<>();

    @Override
    public void onExpired(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
      events.forEach(event -> KEYS.add(event.getKey() + " " + event.isOldValueAvailable()));
    }
  }

  @Test
  void expiry_isThatOfThePolicy_andListenersHearOfIt() {
    CompleteConfiguration<String, Integer> mortal =
        numbers()
            .setExpiryPolicyFactory(
                CreatedExpiryPolicy.factoryOf(new Duration(TimeUnit.MILLISECONDS, 300)));
    Cache<String, Integer> cache = byUri.createCache("mortal", mortal);
    cache.registerCacheEntryListener(
        new MutableCacheEntryListenerConfiguration<>(
            FactoryBuilder.factoryOf(Expired.class), null, false, false));
    cache.put("a", 1);
    Await.until("the end of the entry", () -> !cache.containsKey("a"));
    Await.until("the event", () -> Expired.KEYS.equals(List.of("a false")));
  }

  @Test
  void destroyedCache_isGoneOnTheServer() {
    byUri.createCache("short-lived", numbers()).put("a", 1);
    assertTrue(client.getCacheNames().contains("short-lived"));
    byUri.destroyCache("short-lived");
    assertFalse(client.getCacheNames().contains("short-lived"));
  }

  @Test
  void serverConfiguration_isThatOfANewCache() {
    byUri.createCache(
        "replicated",
        new IsogridConfiguration<String, Integer>()
            .setServerConfiguration("{\"replicated-cache\":{\"statistics\":true}}"));
    assertTrue(client.getCacheNames().contains("replicated"));
    assertThrows(
        CacheException.class,
        () ->
            byUri.createCache(
                "other",
                new IsogridConfiguration<String, Integer>()
                    .setCacheConfig(CacheConfig.builder().build())));
    assertThrows(
        UnsupportedOperationException.class,
        () -> byUri.createCache("other", numbers().setStoreByValue(false)));
  }

  @Test
  void unwrap_givesClientAndCache() {
    assertSame(client, byClient.unwrap(RemoteCacheManager.class));
    Cache<String, Integer> cache = byClient.createCache("inside", numbers());
    assertEquals("inside", cache.unwrap(RemoteCache.class).name());
    assertNotNull(byUri.unwrap(RemoteCacheManager.class));
  }
}
