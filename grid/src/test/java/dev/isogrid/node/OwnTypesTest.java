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
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
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

  private enum Status {
    OPEN,
    PAID
  }

  private record Line(String article, int count) {}

  private record Order(
      UUID id,
      LocalDate day,
      Status status,
      List<Line> lines,
      Map<String, BigDecimal> prices,
      Optional<String> note) {}

  private static Order order(int number) {
    return new Order(
        new UUID(0, number),
        DAY.plusDays(number),
        number % 2 == 0 ? Status.OPEN : Status.PAID,
        List.of(new Line("pen", number), new Line("ink", 1)),
        Map.of("pen", new BigDecimal("1.20")),
        Optional.of("note " + number));
  }

  private static Map<Object, Object> objects() {
    return Map.ofEntries(
        Map.entry(ID, new BigDecimal("12345678901234567890.123")),
        Map.entry(Status.OPEN, DAY),
        Map.entry(new Line("key", 1), order(1)),
        Map.entry(List.of(1, 2), List.of("a", order(2))),
        Map.entry("map", Map.of("k", Status.PAID)),
        Map.entry(7L, Instant.ofEpochSecond(1, 2)),
        Map.entry(new Line("key", 2), Optional.of(new Line("x", 3))),
        Map.entry(DAY, "text"));
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
    Cache<Object, Object> first = nodes.node(0).cache(name, config(mode, storage));
    first.putAll(objects());

    Cache<Object, Object> second = nodes.node(1).cache(name);
    Await.until("all entries", () -> second.size() == objects().size());
    assertEquals(objects(), second.getAll(objects().keySet()));
    assertEquals(objects().keySet(), Set.copyOf(second.keySet()));
    assertTrue(second.replace(ID, Objects.requireNonNull(objects().get(ID)), DAY));
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

    first.put(ID, List.of(1)); // the other node's entry is not valid any more

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
  void records_inACacheThatTheOtherNodeNeverNames_areSeenByStreamsAndTasks() throws Exception {
    Grid grid = nodes.node(0);
    Cache<Integer, Order> orders =
        grid.cache("orders", config(CacheMode.DIST_SYNC, StorageType.OFF_HEAP));
    for (int i = 0; i < 100; i++) {
      orders.put(i, order(i));
    }

    assertEquals(50, orders.values().stream().filter(each -> each.status() == Status.PAID).count());
    assertEquals(
        Set.of(order(97), order(99)),
        orders.values().stream()
            .filter(each -> each.lines().getFirst().count() > 96)
            .filter(each -> each.status() == Status.PAID)
            .collect(() -> Collectors.toSet()));
    assertEquals(
        Map.of("open", 50L, "paid", 50L),
        grid.mapReduce(orders)
            .countBy((_, each) -> each.status() == Status.OPEN ? "open" : "paid")
            .execute());
    assertEquals(
        Map.of(Status.OPEN, order(98), Status.PAID, order(99)),
        grid.mapReduce(orders)
            .<Status, Order>mappedWith((_, each, out) -> out.emit(each.status(), each))
            .combinedWith((one, other) -> one.day().isAfter(other.day()) ? one : other)
            .execute());
    Line wanted = new Line("pen", 5);
    assertEquals(
        List.of(order(5)),
        orders.values().stream().filter(each -> each.lines().contains(wanted)).toList());
    int far = grid.<Integer>keyAffinity("orders", new Random(1)::nextInt).keyFor("n1");
    assertEquals(Optional.of(wanted), orders.invoke(far, _ -> Optional.of(wanted)));
    orders.replaceAll((_, each) -> order(each.lines().getFirst().count() + 1));
    assertEquals(order(100), orders.get(99));
    assertEquals(order(8), orders.computeIfPresent(7, (_, each) -> each));
    assertEquals(order(0), orders.computeIfAbsent(-1, _ -> order(0)));
    assertEquals(
        Map.of("n0", 6, "n1", 6),
        grid.executor().onNodes(List.of("n0", "n1")).submit(OwnTypesTest::countOfTheFifth).get());
  }

  private static int countOfTheFifth(Grid grid) {
    Order order = Objects.requireNonNull(grid.<Integer, Order>cache("orders").get(5));
    return order.lines().getFirst().count();
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
    first.put("k", List.of(DAY, order(3)));

    Grid joined = nodes.join("late");

    Cache<String, Object> there = joined.cache("late");
    assertEquals(List.of(DAY, order(3)), assertInstanceOf(List.class, there.get("k")));
    assertEquals("late", joined.nodeName());
  }
}
