package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.infinispan.client.hotrod.Flag;
import org.infinispan.client.hotrod.MetadataValue;
import org.infinispan.client.hotrod.ProtocolVersion;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.client.hotrod.exceptions.HotRodClientException;
import org.infinispan.commons.configuration.StringConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The official Hot Rod client for Java with its default settings. */
@Tag("interop")
class HotRodJavaClientTest {
  private static ServerProcess server;
  private static RemoteCacheManager manager;
  private RemoteCache<Object, Object> cache;

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

  @Test
  void scalars_writtenAndRead_areEqual() {
    Map<Object, Object> scalars =
        Map.of("s", "text €", 1, 2, 3L, 4L, 1.5, 2.5f, true, 'c', "short", (short) 7);
    cache.putAll(scalars);
    scalars.forEach((key, value) -> assertEquals(value, cache.get(key)));
    cache.put("bytes", new byte[] {1, 2, 3});
    assertArrayEquals(new byte[] {1, 2, 3}, (byte[]) cache.get("bytes"));
    assertEquals(scalars.size() + 1, cache.size());
    assertEquals(scalars, cache.getAll(scalars.keySet()));
  }

  @Test
  void conditionalOperations_followTheirConditions() {
    assertNull(cache.putIfAbsent("k", "1"));
    assertEquals("1", cache.withFlags(Flag.FORCE_RETURN_VALUE).putIfAbsent("k", "2"));
    assertEquals("1", cache.withFlags(Flag.FORCE_RETURN_VALUE).put("k", "2"));
    assertNull(cache.withFlags(Flag.FORCE_RETURN_VALUE).put("new", "1"));
    assertTrue(cache.replace("k", "2", "3"));
    assertFalse(cache.replace("k", "2", "4"));
    assertNull(cache.withFlags(Flag.FORCE_RETURN_VALUE).replace("absent", "x"));
    assertFalse(cache.containsKey("absent"));
    assertEquals("3", cache.withFlags(Flag.FORCE_RETURN_VALUE).remove("k"));
    assertNull(cache.get("k"));
  }

  @Test
  void versionedOperations_withAStaleVersion_doNothing() {
    cache.put("k", "1");
    long version = cache.getWithMetadata("k").getVersion();
    assertTrue(version > 0);
    assertTrue(cache.replaceWithVersion("k", "2", version));
    assertFalse(cache.replaceWithVersion("k", "3", version));
    assertFalse(cache.removeWithVersion("k", version));
    assertTrue(cache.removeWithVersion("k", cache.getWithMetadata("k").getVersion()));
    assertFalse(cache.removeWithVersion("k", version));
  }

  @Test
  void compute_isDoneByTheClient() {
    assertEquals("k!", cache.computeIfAbsent("k", key -> key + "!"));
    assertEquals("k!?", cache.computeIfPresent("k", (key, value) -> value + "?"));
    assertEquals("z", cache.compute("k", (key, value) -> "z"));
  }

  @Test
  void metadata_ofAMortalEntry_tellsItsTimes() {
    cache.put("k", "v", 100, TimeUnit.SECONDS, 50, TimeUnit.SECONDS);
    MetadataValue<Object> metadata = cache.getWithMetadata("k");
    assertEquals(100, metadata.getLifespan());
    assertEquals(50, metadata.getMaxIdle());
    assertTrue(metadata.getCreated() > 0);
    cache.put("gone", "v", 1, TimeUnit.NANOSECONDS);
    assertNull(cache.get("gone"));
  }

  @Test
  void asynchronousOperations_complete() {
    assertNull(cache.putAsync("k", "v").join());
    assertEquals("v", cache.getAsync("k").join());
    assertEquals(1L, cache.sizeAsync().join());
  }

  @Test
  void iteration_seesEveryEntryOnce() {
    Map<Object, Object> expected = new HashMap<>();
    for (int i = 0; i < 5000; i++) {
      expected.put("key" + i, i);
    }
    cache.putAll(expected);
    Map<Object, Object> seen = new HashMap<>();
    cache.entrySet().forEach(entry -> assertNull(seen.put(entry.getKey(), entry.getValue())));
    assertEquals(expected, seen);
    assertEquals(expected.keySet(), Set.copyOf(cache.keySet()));
  }

  @Test
  void statistics_countOperations() {
    long stores = cache.serverStatistics().getIntStatistic("stores");
    cache.put("k", "v");
    assertEquals(stores + 1, (long) cache.serverStatistics().getIntStatistic("stores"));
  }

  @Test
  void administration_withTemplateAndDocument_createsAndRemoves() {
    RemoteCache<String, String> byTemplate =
        manager.administration().getOrCreateCache("tpl", "org.infinispan.DIST_SYNC");
    byTemplate.put("a", "b");
    String xml =
        "<distributed-cache name=\"doc\"><encoding media-type=\"application/x-protostream\"/>"
            + "<expiration lifespan=\"1h\"/></distributed-cache>";
    RemoteCache<String, String> byDocument =
        manager.administration().createCache("doc", new StringConfiguration(xml));
    byDocument.put("a", "b");
    assertEquals(3600, byDocument.getWithMetadata("a").getLifespan());
    assertTrue(manager.getCacheNames().containsAll(Set.of("default", "tpl", "doc")));
    HotRodClientException refused =
        assertThrows(
            HotRodClientException.class,
            () ->
                manager
                    .administration()
                    .createCache(
                        "bad",
                        new StringConfiguration(
                            "<local-cache><memory storage=\"ON_DISK\"/></local-cache>")));
    assertTrue(refused.toString().contains("storage"), refused.toString());
    manager.administration().removeCache("tpl");
    manager.administration().removeCache("doc");
    assertNull(manager.getCache("tpl"));
  }

  @Test
  void unknownCache_isNull() {
    assertNull(manager.getCache("nowhere"));
  }

  @ParameterizedTest
  @EnumSource(
      value = ProtocolVersion.class,
      names = {
        "PROTOCOL_VERSION_30",
        "PROTOCOL_VERSION_31",
        "PROTOCOL_VERSION_40",
        "PROTOCOL_VERSION_41"
      })
  void everyVersion_ofTheClient_works(ProtocolVersion version) {
    try (RemoteCacheManager fixed = new RemoteCacheManager(builder().version(version).build())) {
      RemoteCache<String, String> remote = fixed.getCache("default");
      remote.put("k" + version, "v");
      assertEquals("v", remote.get("k" + version));
      assertEquals("v", remote.withFlags(Flag.FORCE_RETURN_VALUE).put("k" + version, "w"));
      assertNotNull(remote.getWithMetadata("k" + version));
    }
  }
}
