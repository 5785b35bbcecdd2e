package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEvent;
import dev.isogrid.api.CacheListener;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Grid;
import dev.isogrid.api.MultimapCache;
import dev.isogrid.api.StorageType;
import dev.isogrid.testkit.Await;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Objects that are no scalars in the caches of two nodes and a later third one. */
class OwnTypesTest {
  private static final UUID ID = new UUID(1, 2);
  private static final LocalDate DAY = LocalDate.of(2026, 11, 23);

  private static EmbeddedNodes nodes;

  @BeforeAll
  static void start() throws Exception {
    nodes = EmbeddedNodes.start(2);
  }

  @AfterAll
  static void stop() {
    nodes.close();
  }

  private static CacheConfig config(CacheMode mode, StorageType storage) {
    return CacheConfig.builder().mode(mode).storage(storage).segments(16).build();
  }

  private static Map<UUID, Object> objects() {
    return Map.of(
        ID,
        new BigDecimal("12345678901234567890.123"),
        new UUID(3, 4),
        DAY,
        new UUID(5, 6),
        new ArrayList<>(List.of("a", "b")),
        new UUID(7, 8),
        "text");
  }

  @ParameterizedTest
  @CsvSource({
    "DIST_SYNC,HEAP_BINARY",
    "DIST_SYNC,OFF_HEAP",
    "DIST_SYNC,HEAP_OBJECT",
    "DIST_ASYNC,OFF_HEAP",
    "REPL_SYNC,HEAP_BINARY",
    "REPL_SYNC,OFF_HEAP"
  })
  void objects_writtenByOneNode_areReadByTheOther(CacheMode mode, StorageType storage)
      throws Exception {
    String name = mode + "-" + storage;
    Cache<UUID, Object> first = nodes.node(0).cache(name, config(mode, storage));
    first.putAll(objects());

    Cache<UUID, Object> second = nodes.node(1).cache(name);
    Await.until("all entries", () -> second.size() == objects().size());
    assertEquals(objects(), second.getAll(objects().keySet()));
    assertTrue(second.replace(ID, objects().get(ID), DAY));
    assertEquals(DAY, first.get(ID));
    assertEquals(DAY, second.merge(ID, DAY, (old, _) -> old));
    assertTrue(second.remove(ID, DAY));
  }

  @Test
  void objects_inABoundedCacheOfEachNode_areReadOnBoth() {
    CacheConfig near =
        config(CacheMode.INVALIDATION_SYNC, StorageType.OFF_HEAP).toBuilder().maxCount(100).build();
    Cache<UUID, Object> first = nodes.node(0).cache("near", near);
    Cache<UUID, Object> second = nodes.node(1).cache("near");
    second.put(ID, DAY);
    assertEquals(DAY, second.get(ID));

    first.put(ID, new ArrayList<>(List.of(1))); // the other node's entry is not valid any more

    assertEquals(List.of(1), first.get(ID));
    assertEquals(null, second.get(ID));
  }

  @Test
  void objects_inACacheThatTheOtherNodeNeverNames_areSeenByStreamsTasksAndListeners()
      throws Exception {
    Grid grid = nodes.node(0);
    Cache<UUID, LocalDate> days =
        grid.cache("days", config(CacheMode.DIST_SYNC, StorageType.OFF_HEAP));
    ConcurrentLinkedQueue<Object> heard = new ConcurrentLinkedQueue<>();
    days.addListener(
        new CacheListener<UUID, LocalDate>() {
          @Override
          public void onEvent(CacheEvent<UUID, LocalDate> event) {
            heard.add(event.key());
          }
        });
    for (int i = 0; i < 100; i++) {
      days.put(new UUID(0, i), DAY.plusDays(i));
    }

    assertEquals(
        Set.of(new UUID(0, 98), new UUID(0, 99)),
        days.entrySet().stream()
            .filter(entry -> entry.getValue().isAfter(LocalDate.of(2027, 2, 28)))
            .map(Map.Entry::getKey)
            .collect(() -> Collectors.toSet()));
    assertEquals(100, days.values().stream().distinct().count());
    assertTrue(days.containsValue(DAY));
    assertEquals(
        Map.of(2026, 39L, 2027, 61L),
        grid.mapReduce(days).countBy((_, day) -> day.getYear()).execute());
    Await.until("all events", () -> heard.size() == 100);
    UUID far = grid.<UUID>keyAffinity("days", UUID::randomUUID).keyFor("n1");
    days.put(far, DAY);
    assertEquals(
        DAY.plusYears(1), days.compute(far, (_, day) -> day == null ? null : day.plusYears(1)));
  }

  @Test
  void multimap_ofALoneNode_takesObjects() {
    try (Grid alone = Grid.start()) {
      MultimapCache<UUID, Object> map = alone.multimap("m");
      map.put(ID, DAY);
      map.put(ID, BigDecimal.ONE);

      assertEquals(Set.of(DAY, BigDecimal.ONE), Set.copyOf(map.get(ID)));
      assertTrue(map.containsEntry(ID, DAY));
    }
  }

  @Test
  void multimap_ofACluster_takesObjects() {
    CacheConfig config = config(CacheMode.DIST_SYNC, StorageType.HEAP_BINARY);
    MultimapCache<UUID, Object> first = nodes.node(0).multimap("multi", config, false);
    first.put(ID, DAY);

    assertEquals(List.of(DAY), List.copyOf(nodes.node(1).<UUID, Object>multimap("multi").get(ID)));
  }

  @Test
  void objects_areReadByANodeThatJoinsLater() throws Exception {
    Cache<String, Object> first =
        nodes.node(0).cache("late", config(CacheMode.DIST_SYNC, StorageType.HEAP_BINARY));
    first.put("k", new ArrayList<>(List.of("a", "b")));

    Grid joined = nodes.join("late");

    Cache<String, Object> there = joined.cache("late");
    assertEquals(List.of("a", "b"), assertInstanceOf(List.class, there.get("k")));
    assertEquals("late", joined.nodeName());
  }
}
