package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEvent;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Subscription;
import dev.isogrid.testkit.Await;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Embedded nodes whose caches tell each other what has changed, and writes that don't wait. */
class CacheModesTest {
  private static final int KEYS = 2500;

  /** Shared by the tests that take no node out of it. */
  private static @Nullable EmbeddedNodes shared;

  @BeforeAll
  static void start() throws Exception {
    shared = EmbeddedNodes.start(3);
    for (Cache<String, String> each : caches(nodes(), CacheMode.INVALIDATION_SYNC)) {
      each.put("lease", "x");
      Await.until("a lease", () -> each.containsKey("lease"));
      each.clear();
    }
  }

  @AfterAll
  static void close() {
    nodes().close();
  }

  private static EmbeddedNodes nodes() {
    return requireNonNull(shared);
  }

  private static List<Cache<String, String>> caches(EmbeddedNodes nodes, CacheMode mode) {
    CacheConfig config = CacheConfig.builder().mode(mode).segments(32).build();
    List<Cache<String, String>> caches = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      caches.add(nodes.node(i).cache(mode.name(), config));
    }
    return caches;
  }

  @Test
  void syncWrites_removeTheEntryOnAllOtherNodes() {
    List<Cache<String, String>> caches = caches(nodes(), CacheMode.INVALIDATION_SYNC);
    Cache<String, String> one = caches.get(0);
    Cache<String, String> two = caches.get(1);
    List<CacheEvent.Kind> heard = new CopyOnWriteArrayList<>();
    try (Subscription _ = two.addListener(event -> heard.add(event.kind()))) {
      assertNull(one.put("k", "a"));
      assertNull(two.get("k"));
      assertNull(two.put("k", "b"));
      assertNull(one.get("k"));
      assertEquals("b", two.get("k"));
      assertNull(caches.get(2).remove("k"));
      assertNull(two.get("k"));
    }
    assertEquals(List.of(CacheEvent.Kind.CREATED, CacheEvent.Kind.REMOVED), heard);
  }

  @Test
  void syncWritesOfManyKeys_removeThemOnAllOtherNodes() {
    List<Cache<String, String>> caches = caches(nodes(), CacheMode.INVALIDATION_SYNC);
    Cache<String, String> one = caches.get(0);
    Cache<String, String> two = caches.get(1);
    Map<String, String> many = new HashMap<>();
    for (int i = 0; i < KEYS; i++) {
      many.put("key" + i, "value" + i);
    }
    two.putAll(many);
    one.putAll(many);
    assertEquals(KEYS, one.size());
    assertEquals(0, two.size());
    two.put("x", "y");
    assertFalse(two.remove("key1", "other"));
    assertEquals("value1", one.get("key1"));
    caches.get(2).clear();
    assertEquals(0, one.size() + two.size());
  }

  @Test
  void asyncWrites_removeTheEntriesOnOtherNodesSomeTime() throws Exception {
    List<Cache<String, String>> caches = caches(nodes(), CacheMode.INVALIDATION_ASYNC);
    caches.get(0).put("last", "old");
    caches.get(0).put("end", "old");
    for (int i = 0; i < 300; i++) {
      caches.get(1).put("key" + i, "old");
    }
    caches.get(1).put("last", "new");
    Await.until("what was told", () -> !caches.get(0).containsKey("last"));
    // Keys that are told together go in any order, so it needs one that is told later.
    caches.get(1).put("end", "new");
    Await.until("what was told before", () -> caches.get(0).isEmpty());
    caches.get(2).put("other", "old");
    for (int i = 0; i < 300; i++) {
      caches.get(0).put("key" + i, "new");
    }
    // The last one is gone there as well if the other node's writes were told late.
    Await.until("invalidations", () -> caches.get(1).size() <= 2);
    assertEquals(300, caches.get(0).size());
    caches.get(0).clear();
    Await.until("the clear", () -> caches.get(2).isEmpty());
  }

  @ParameterizedTest
  @EnumSource(names = {"DIST_ASYNC", "REPL_ASYNC"})
  void asyncCopies_areReadAndWrittenByAllNodes(CacheMode mode) {
    List<Cache<String, String>> caches = caches(nodes(), mode);
    for (int i = 0; i < 300; i++) {
      String key = "key" + i;
      caches.get(i % 3).put(key, "a");
      assertEquals("a", caches.get((i + 1) % 3).put(key, "b"));
      assertEquals("b", caches.get((i + 2) % 3).get(key));
    }
    assertEquals(300, caches.get(1).size());
    caches.get(0).clear();
    assertEquals(0, caches.get(2).size());
    caches.get(0).put("k", "v");
    assertTrue(caches.get(1).replace("k", "v", "w"));
    assertEquals("w", caches.get(2).get("k"));
  }

  @Test
  void writes_goOnWhenANodeDied() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(3)) {
      List<Cache<String, String>> own = caches(nodes, CacheMode.INVALIDATION_SYNC);
      List<Cache<String, String>> copied = caches(nodes, CacheMode.DIST_ASYNC);
      own.get(0).put("k", "a");
      copied.get(0).put("k", "a");
      Node node = (Node) nodes.node(1);
      Await.until(
          "the copies",
          () ->
              requireNonNull(node.topology()).segments().stream()
                  .allMatch(owners -> owners.isr().size() > 1));
      copied.get(1).put("k", "b");
      nodes.node(2).close();
      own.get(1).put("k", "b");
      assertNull(own.get(0).get("k"));
      assertEquals("b", own.get(1).get("k"));
      copied.get(1).put("k", "e");
      assertEquals("e", copied.get(0).get("k"));
    }
  }
}
