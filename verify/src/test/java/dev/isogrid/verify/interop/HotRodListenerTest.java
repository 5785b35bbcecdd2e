package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.infinispan.client.hotrod.Flag;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.annotation.ClientCacheEntryCreated;
import org.infinispan.client.hotrod.annotation.ClientListener;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.client.hotrod.configuration.NearCacheMode;
import org.infinispan.client.hotrod.event.ClientCacheEntryCustomEvent;
import org.infinispan.client.hotrod.exceptions.HotRodClientException;
import org.infinispan.commons.configuration.StringConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listeners and near caches of the official Hot Rod client for Java. */
@Tag("interop")
@Tag("deep")
class HotRodListenerTest {
  private static ServerProcess server;
  private static RemoteCacheManager manager;
  private RemoteCache<String, String> cache;

  @BeforeAll
  static void start() {
    server = ServerProcess.start();
    manager = new RemoteCacheManager(builder().build());
  }

  private static ConfigurationBuilder builder() {
    ConfigurationBuilder builder = new ConfigurationBuilder();
    builder.addServer().host("127.0.0.1").port(server.port());
    return builder;
  }

  @AfterAll
  static void stop() {
    manager.close();
    server.close();
  }

  @BeforeEach
  void emptyCache() {
    cache = manager.getCache("default");
    cache.clear();
  }

  private static void awaitEvents(HeardEvents heard, List<String> expected) {
    Await.until("events " + expected, () -> heard.events.size() >= expected.size());
    assertEquals(expected, heard.events);
  }

  @Test
  void listener_hearsOfTheStateAndOfAllChanges() {
    cache.put("before", "v");
    HeardEvents heard = new HeardEvents();
    cache.addClientListener(heard);
    awaitEvents(heard, List.of("created before"));
    cache.put("a", "1");
    cache.put("a", "2");
    cache.remove("a");
    cache.put("m", "v", 50, TimeUnit.MILLISECONDS);
    Await.until("expiry", () -> cache.get("m") == null);
    awaitEvents(
        heard,
        List.of(
            "created before", "created a", "modified a", "removed a", "created m", "expired m"));
    cache.withFlags(Flag.SKIP_LISTENER_NOTIFICATION).put("silent", "v");
    cache.put("loud", "v");
    Await.until("the loud one", () -> heard.events.contains("created loud"));
    assertTrue(!heard.events.contains("created silent"), heard.events.toString());
    cache.removeClientListener(heard);
    cache.put("after", "v");
    assertTrue(!heard.events.contains("created after"), heard.events.toString());
  }

  /** Receives the results of the converter for key, value and version. */
  @ClientListener(converterFactoryName = "___eager-key-value-version-converter", useRawData = true)
  public static final class Converted {
    final List<String> events = new CopyOnWriteArrayList<>();

    @ClientCacheEntryCreated
    public void created(ClientCacheEntryCustomEvent<byte[]> event) {
      events.add(new String(event.getEventData(), StandardCharsets.ISO_8859_1));
    }
  }

  @Test
  void converter_bringsKeyAndValue() {
    Converted converted = new Converted();
    cache.addClientListener(converted);
    cache.put("the key", "the value");
    Await.until("an event", () -> !converted.events.isEmpty());
    String data = converted.events.get(0);
    assertTrue(data.contains("the key") && data.contains("the value"), data);
    cache.removeClientListener(converted);
  }

  /** Names a filter that the server does not have. */
  @ClientListener(filterFactoryName = "no-such-filter")
  public static final class Filtered {
    final List<Object> events = new CopyOnWriteArrayList<>();

    @ClientCacheEntryCreated
    public void created(Object event) {
      events.add(event);
    }
  }

  @Test
  void unknownFilter_isRefusedByItsName() {
    HotRodClientException refused =
        assertThrows(HotRodClientException.class, () -> cache.addClientListener(new Filtered()));
    assertTrue(String.valueOf(refused.getMessage()).contains("no-such-filter"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nearCache_neverKeepsWhatAnotherClientReplaced(boolean usesBloomFilter) {
    ConfigurationBuilder near = builder();
    near.remoteCache("default")
        .nearCacheMode(NearCacheMode.INVALIDATED)
        .nearCacheMaxEntries(100)
        .nearCacheUseBloomFilter(usesBloomFilter);
    near.statistics().enable();
    try (RemoteCacheManager nearManager = new RemoteCacheManager(near.build())) {
      RemoteCache<String, String> nearby = nearManager.getCache("default");
      for (int i = 0; i < 300; i++) {
        cache.put("key" + i % 60, "v" + i);
      }
      for (int i = 0; i < 60; i++) {
        String key = "key" + i;
        String expected = "v" + (240 + i);
        Await.until(key, () -> expected.equals(nearby.get(key)));
      }
      for (int i = 0; i < 600; i++) {
        String key = "key" + i % 60;
        String value = "w" + i;
        cache.put(key, value);
        Await.until(key + "=" + value, () -> value.equals(nearby.get(key)));
        assertEquals(value, nearby.get(key));
      }
      cache.remove("key1");
      Await.until("removal", () -> nearby.get("key1") == null);
      cache.clear();
      for (String key : Set.of("key2", "key3")) {
        Await.until("removal of " + key, () -> nearby.get(key) == null);
      }
      assertTrue(nearby.clientStatistics().getNearCacheHits() > 0);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nearCache_ofARemovedCache_isNotServedAnyMore(boolean usesBloomFilter) {
    String name = "left-" + usesBloomFilter;
    StringConfiguration local = new StringConfiguration("{\"local-cache\":{}}");
    manager.administration().createCache(name, local).put("k", "v");
    ConfigurationBuilder near = builder();
    near.remoteCache(name)
        .nearCacheMode(NearCacheMode.INVALIDATED)
        .nearCacheMaxEntries(100)
        .nearCacheUseBloomFilter(usesBloomFilter);
    near.statistics().enable();
    try (RemoteCacheManager nearManager = new RemoteCacheManager(near.build())) {
      RemoteCache<String, String> nearby = nearManager.getCache(name);
      Await.until(
          "the copy",
          () -> nearby.get("k") != null && nearby.clientStatistics().getNearCacheHits() > 0);
      manager.administration().removeCache(name);
      Await.until("the end of the cache", () -> isGone(nearby));
    }
  }

  private static boolean isGone(RemoteCache<String, String> cache) {
    try {
      return cache.get("k") == null;
    } catch (HotRodClientException refused) {
      return String.valueOf(refused.getMessage()).contains("not found");
    }
  }
}
