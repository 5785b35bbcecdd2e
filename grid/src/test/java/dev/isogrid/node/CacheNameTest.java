package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheAuthorization;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.StoreConfig;
import dev.isogrid.api.WriteBehind;
import dev.isogrid.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The meaning of a cache's name on the nodes of a cluster. */
class CacheNameTest {
  private static final int TOUCHES = 10_000;
  private static final CacheConfig DISTRIBUTED = EmbeddedNodes.distributed();
  private static final CacheConfig LOCAL = CacheConfig.builder().segments(4).build();

  private static EmbeddedNodes nodes;

  @BeforeAll
  static void start() throws Exception {
    nodes = EmbeddedNodes.start(3);
  }

  @AfterAll
  static void stop() {
    nodes.close();
  }

  private static String refusal(Runnable call) {
    return String.valueOf(assertThrows(InvalidRequestException.class, call::run).getMessage());
  }

  @Test
  void cache_definedOnAnotherNodeJustBefore_isThatOne() {
    for (int i = 0; i < 20; i++) {
      String name = "just" + i;
      Cache<String, String> defined = nodes.node(i % 3).cache(name, DISTRIBUTED);
      Cache<String, String> asked = nodes.node((i + 1) % 3).cache(name);

      assertEquals(CacheMode.DIST_SYNC, asked.config().mode(), name);
      asked.put("k", "v");
      assertEquals("v", defined.get("k"));
    }
  }

  @Test
  void cache_ofAnUndefinedName_isRefusedWithAdvice() {
    String message = refusal(() -> nodes.node(0).cache("nowhere"));

    assertEquals(
        "no such cache in the cluster: cache=nowhere, node=n0; define it by cache(name, config) on"
            + " any node, or give a default by GridConfig.builder().defaultCache(config)",
        message);
    assertNull(nodes.node(0).findCache("nowhere"));
  }

  @Test
  void cache_definedDifferently_isRefusedWithBothValues() {
    Cache<String, String> first = nodes.node(0).cache("differs", DISTRIBUTED);
    CacheConfig other = DISTRIBUTED.toBuilder().owners(1).statistics(true).build();

    String message = refusal(() -> nodes.node(1).cache("differs", other));

    assertEquals(
        "cache is defined differently: cache=differs, owners is 2, wanted 1, statistics is false,"
            + " wanted true; use one configuration, or cache(name)",
        message);
    assertSame(first, nodes.node(0).cache("differs", DISTRIBUTED));
    assertEquals(2, nodes.node(1).cache("differs", DISTRIBUTED).config().owners());
  }

  @Test
  void cache_ofADefinitionThatIsTooLong_isRefused() {
    List<String> roles = IntStream.range(0, 3_000).mapToObj(i -> "role-" + i).toList();
    CacheConfig config =
        DISTRIBUTED.toBuilder().authorization(new CacheAuthorization(true, roles)).build();

    String message = refusal(() -> nodes.node(0).cache("long", config));

    assertTrue(
        message.startsWith("definition of a cache too long for a cluster: cache=long, size="),
        message);
    assertNull(nodes.node(0).findCache("long"));
  }

  @Test
  void cache_ofValuesThatLookLikeProperties_isTheSameOnAllNodes() {
    CacheAuthorization roles = new CacheAuthorization(true, List.of("${ada}", "${", "<\"&"));

    nodes.node(0).cache("literal", DISTRIBUTED.toBuilder().authorization(roles).build());

    assertEquals(roles, nodes.node(1).cache("literal").config().authorization());
  }

  @Test
  void cache_thatOtherNodesCouldNotRead_isRefused() {
    for (WriteBehind behind :
        List.of(
            WriteBehind.DEFAULT.queueMax(Integer.MAX_VALUE),
            WriteBehind.DEFAULT.batchMax(Integer.MAX_VALUE))) {
      StoreConfig.Builder store = StoreConfig.named(CommonStore.class.getName());
      CacheConfig config = LOCAL.toBuilder().store(store.writeBehind(behind).build()).build();

      String message = refusal(() -> nodes.node(0).cache("unreadable", config));

      assertTrue(message.contains("=2147483647, "), message);
    }
    CacheAuthorization control = new CacheAuthorization(true, List.of("a\u0001"));
    CacheConfig config = DISTRIBUTED.toBuilder().authorization(control).build();
    String message = refusal(() -> nodes.node(0).cache("unreadable", config));
    assertTrue(message.contains("attribute=roles, character=U+0001"), message);

    nodes.node(0).cache("readable", DISTRIBUTED).put("k", "v");
    assertEquals("v", nodes.node(1).cache("readable").get("k"));
  }

  @Test
  void localCache_isLocalOnAllNodes() throws Exception {
    Cache<String, String> first = nodes.node(0).cache("local", LOCAL);
    first.put("k", "v");

    Cache<String, String> second = nodes.node(1).cache("local");
    assertEquals(CacheMode.LOCAL, second.config().mode());
    assertEquals(StorageType.HEAP_OBJECT, second.config().storage());
    assertNull(second.get("k"));
    String message = refusal(() -> nodes.node(2).cache("local", DISTRIBUTED));
    assertTrue(message.contains("mode is LOCAL, wanted DIST_SYNC"), message);

    assertTrue(nodes.node(2).removeCache("local"));
    awaitGone("local");
    assertThrows(RuntimeException.class, () -> first.get("k"));
    Cache<String, String> anew = nodes.node(1).cache("local", DISTRIBUTED);
    assertEquals(CacheMode.DIST_SYNC, anew.config().mode());
  }

  /** A node that has not heard of a removal yet still refuses another definition. */
  private void awaitGone(String cache) throws Exception {
    Await.until(
        "removed everywhere: " + cache,
        () -> IntStream.range(0, 3).allMatch(each -> nodes.node(each).findCache(cache) == null));
  }

  @Test
  void localCache_isThereOnANodeThatJoinsLater() throws Exception {
    nodes.node(0).cache("before", LOCAL);
    nodes.node(0).cache("near", LOCAL.toBuilder().mode(CacheMode.INVALIDATION_SYNC).build());

    Grid joined = nodes.join("later");

    assertEquals(CacheMode.LOCAL, joined.cache("before").config().mode());
    assertEquals(CacheMode.INVALIDATION_SYNC, joined.cache("near").config().mode());
    assertTrue(joined.cacheNames().containsAll(Set.of("before", "near")));
  }

  @Test
  void cacheRemovedAndDefinedAnew_isTheNewOneEverywhere() throws Exception {
    for (int i = 0; i < 10; i++) {
      CacheConfig config = i % 2 == 0 ? DISTRIBUTED : LOCAL;
      nodes.node(i % 3).cache("again", config);
      assertEquals(config.mode(), nodes.node((i + 1) % 3).cache("again").config().mode());
      assertTrue(nodes.node((i + 2) % 3).removeCache("again"));
      awaitGone("again");
    }
    assertFalse(nodes.node(2).cacheNames().contains("again"));
  }

  @Test
  void cache_touchedFirstByManyThreadsOfAllNodes_isOne() throws Exception {
    CacheConfig[] configs = {DISTRIBUTED, DISTRIBUTED.toBuilder().owners(1).build(), LOCAL};
    Set<Object> found = ConcurrentHashMap.newKeySet();
    Set<CacheMode> modes = ConcurrentHashMap.newKeySet();
    Set<Integer> owners = ConcurrentHashMap.newKeySet();
    CountDownLatch begin = new CountDownLatch(1);
    List<Future<?>> touches = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < TOUCHES; i++) {
        Grid grid = nodes.node(i % 3);
        CacheConfig config = configs[i / 3 % 3];
        touches.add(
            threads.submit(() -> {
              begin.await();
              try {
                Cache<?, ?> cache = grid.cache("touched", config);
                found.add(cache);
                modes.add(cache.config().mode());
                owners.add(cache.config().owners());
              } catch (InvalidRequestException differs) {
                assertTrue(String.valueOf(differs.getMessage()).contains("wanted"));
              }
              return null;
            }));
      }
      begin.countDown();
      for (Future<?> each : touches) {
        each.get();
      }
    }

    assertEquals(3, found.size());
    assertEquals(1, modes.size());
    assertEquals(1, owners.size());
    for (int node = 0; node < 3; node++) {
      assertTrue(found.contains(nodes.node(node).cache("touched")));
    }
  }

  @Test
  void cache_ofAnUndefinedNameWithADefault_isOne() throws Exception {
    CacheConfig byDefault = DISTRIBUTED.toBuilder().statistics(true).build();
    try (EmbeddedNodes both =
        EmbeddedNodes.start(2, _ -> GridConfig.builder().defaultCache(byDefault))) {
      Cache<String, String> first = both.node(0).cache("any");
      first.put("k", "v");

      assertEquals("v", both.node(1).<String, String>cache("any").get("k"));
      assertTrue(first.config().statistics());
      assertNotNull(both.node(1).findCache("any"));
      both.node(1).<String, String>multimap("many").put("k", "v");
      assertTrue(both.node(0).<String, String>multimap("many").containsEntry("k", "v"));
    }
  }

  @Test
  void cache_ofANodeAlone_isADefaultOne() {
    try (Grid alone =
        Grid.start(
            GridConfig.builder().defaultCache(LOCAL.toBuilder().maxCount(5).build()).build())) {
      assertEquals(5, alone.cache("x").config().maxCount());
    }
  }
}
