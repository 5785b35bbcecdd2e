package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** Multimaps, against a real server. */
class MultimapTest {
  @Test
  void multimap_keepsEachValueOfAKeyOnce() {
    try (TestServer server = new TestServer();
        RemoteCacheManager manager = new RemoteCacheManager(server.client().build())) {
      RemoteMultimapCacheManager<String, String> multimaps =
          new RemoteMultimapCacheManager<>(manager);
      assertThrows(HotRodClientException.class, () -> multimaps.get("none"));
      Objects.requireNonNull(manager.getCache("default")).clear();
      sets(multimaps.get("default"));
    }
  }

  @Test
  @DisabledIfSystemProperty(named = TestServer.EXTERNAL, matches = ".*") // has no tasks
  void multimap_withDuplicates_keepsThem() {
    try (TestServer server = new TestServer();
        RemoteCacheManager manager = new RemoteCacheManager(server.client().build())) {
      manager.administration().withFlags(AdminFlag.VOLATILE).createCache("bag", (String) null);
      bags(new RemoteMultimapCacheManager<String, String>(manager).get("bag", true));
    }
  }

  private static void sets(RemoteMultimapCache<String, String> map) {
    assertFalse(map.supportsDuplicates());
    assertEquals("default", map.getName());
    assertTrue(map.get("k").join().isEmpty());
    assertNull(map.getWithMetadata("k").join());
    map.put("k", "a").join();
    map.put("k", "b").join();
    map.put("k", "b").join();
    map.put("other", "b").join();
    assertEquals(Set.of("a", "b"), Set.copyOf(map.get("k").join()));
    assertEquals(2, map.get("k").join().size());
    MetadataValue<?> found = Objects.requireNonNull(map.getWithMetadata("k").join());
    assertEquals(-1, found.lifespanSeconds());
    assertEquals(3L, map.size().join());
    assertTrue(map.containsKey("k").join());
    assertFalse(map.containsKey("none").join());
    assertTrue(map.containsValue("b").join());
    assertFalse(map.containsValue("c").join());
    assertTrue(map.containsEntry("k", "a").join());
    assertFalse(map.containsEntry("other", "a").join());
    assertTrue(map.remove("k", "a").join());
    assertFalse(map.remove("k", "a").join());
    assertTrue(map.remove("k").join());
    assertFalse(map.remove("k").join());
    assertEquals(1L, map.size().join());
  }

  private static void bags(RemoteMultimapCache<String, String> map) {
    map.put("k", "a").join();
    map.put("k", "a").join();
    map.put("k", "b").join();
    assertEquals(List.of("a", "a", "b"), map.get("k").join().stream().sorted().toList());
    assertEquals(3L, map.size().join());
    assertTrue(map.remove("k", "a").join());
    assertEquals(List.of("b"), List.copyOf(map.get("k").join()));
  }
}
