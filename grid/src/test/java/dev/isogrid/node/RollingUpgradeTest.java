package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.StorageType;
import dev.isogrid.testkit.Await;
import dev.isogrid.testkit.CompiledClasses;
import dev.isogrid.types.ObjectMarshaller;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two nodes of one cluster, each with a version of a program in a class loader of its own. */
class RollingUpgradeTest {
  private static final String ORDER = "shop.Order";
  private static final String TICKET = "shop.Ticket";

  /** The first version of the program. */
  private static final CompiledClasses BEFORE =
      classes(
          """
          public record Order(String id, int count, String note, State state) {}
          """,
          "public record Ticket(String id, String code) {}",
          "public enum State {OPEN, PAID}");

  /** The second: components in another order, one wider, one removed, two added. */
  private static final CompiledClasses AFTER =
      classes(
          """
          public record Order(
              State state, long count, String id, String country, List<String> tags) {
            static Order defaults() {
              return new Order(null, 0, null, "DE", List.of());
            }
          }
          """,
          "public record Ticket(String id, int code) {}",
          "public enum State {PAID, SENT, OPEN}");

  private static EmbeddedNodes nodes;

  private static CompiledClasses classes(String order, String ticket, String state) {
    String head = "package shop; import java.util.*; ";
    return new CompiledClasses(
        Map.of(ORDER, head + order, TICKET, head + ticket, "shop.State", head + state));
  }

  @BeforeAll
  static void start() throws Exception {
    nodes =
        EmbeddedNodes.start(
            2,
            index ->
                GridConfig.builder().marshaller(new ObjectMarshaller(index == 0 ? BEFORE : AFTER)));
  }

  @AfterAll
  static void stop() {
    nodes.close();
  }

  private static Object before(String id, int count, String state) {
    return BEFORE.make(ORDER, id, count, "a note", BEFORE.constant("shop.State", state));
  }

  private static Object after(String id, long count, String state) {
    Object constant = AFTER.constant("shop.State", state);
    return AFTER.make(ORDER, constant, count, id, "NO", List.of("new"));
  }

  private static String text(Cache<String, Object> cache, String key) {
    return Objects.requireNonNull(cache.get(key), key).toString();
  }

  @ParameterizedTest
  @CsvSource({
    "DIST_SYNC,HEAP_BINARY",
    "DIST_SYNC,OFF_HEAP",
    "REPL_SYNC,HEAP_BINARY",
    "DIST_SYNC,HEAP_OBJECT"
  })
  void bothVersions_readAndChangeTheSameEntries(CacheMode mode, StorageType storage)
      throws Exception {
    String name = mode + "-" + storage;
    CacheConfig config = CacheConfig.builder().mode(mode).storage(storage).segments(16).build();
    Cache<String, Object> old = nodes.node(0).cache(name, config);
    Cache<String, Object> young = nodes.node(1).cache(name);
    for (int i = 0; i < 10; i++) {
      old.put("old" + i, before("old" + i, i, "PAID"));
    }
    for (int i = 0; i < 10; i++) {
      young.put("young" + i, after("young" + i, i, "OPEN"));
    }

    assertEquals("Order[state=PAID, count=7, id=old7, country=DE, tags=[]]", text(young, "old7"));
    assertEquals("Order[id=young7, count=7, note=null, state=OPEN]", text(old, "young7"));
    assertEquals("Order[id=old7, count=7, note=a note, state=PAID]", text(old, "old7"));
    assertEquals(20, old.getAll(Set.copyOf(young.keySet())).size());

    Object read = Objects.requireNonNull(young.get("old1"));
    assertTrue(young.replace("old1", read, after("old1", 11, "SENT")));
    assertEquals("Order[id=old1, count=11, note=null, state=null]", text(old, "old1"));
    Object seen = Objects.requireNonNull(old.get("young1"));
    assertTrue(old.replace("young1", seen, before("young1", 12, "PAID")));
    assertEquals(
        "Order[state=PAID, count=12, id=young1, country=DE, tags=[]]", text(young, "young1"));
    assertTrue(old.remove("young2", Objects.requireNonNull(old.get("young2"))));
    old.compute("young3", (_, order) -> before(String.valueOf(order).substring(9, 15), 13, "OPEN"));
    assertEquals(
        "Order[state=OPEN, count=13, id=young3, country=DE, tags=[]]", text(young, "young3"));
  }

  @Test
  void streamsAndListeners_giveEachNodeItsOwnVersion() throws Exception {
    Cache<String, Object> old = nodes.node(0).cache("streamed", EmbeddedNodes.distributed());
    Cache<String, Object> young = nodes.node(1).cache("streamed");
    ConcurrentLinkedQueue<String> heard = new ConcurrentLinkedQueue<>();
    old.addListener(event -> heard.add(String.valueOf(event.value())));
    Set<String> expected = new TreeSet<>();
    for (int i = 0; i < 20; i++) {
      young.put("k" + i, after("k" + i, i, "PAID"));
      expected.add("Order[id=k%d, count=%d, note=null, state=PAID]".formatted(i, i));
    }

    Await.until("all events", () -> heard.size() == 20);
    assertEquals(expected, new TreeSet<>(heard));
    List<Object> values = new ArrayList<>(old.values());
    assertTrue(values.stream().allMatch(each -> each.getClass().getClassLoader() == BEFORE));
    List<Object> collected = old.values().stream().toList();
    assertEquals(
        expected, new TreeSet<>(collected.stream().map(Object::toString).toList()), "stream");
    assertTrue(collected.stream().allMatch(each -> each.getClass().getClassLoader() == BEFORE));
  }

  @Test
  void changeThatCannotWork_isRefusedByTheNodeOfTheNewVersion() throws Exception {
    Cache<String, Object> old = nodes.node(0).cache("tickets", EmbeddedNodes.distributed());
    Cache<String, Object> young = nodes.node(1).cache("tickets");
    old.put("a", BEFORE.make(TICKET, "a", "x1"));

    for (Runnable use :
        List.<Runnable>of(() -> young.put("b", AFTER.make(TICKET, "b", 1)), () -> young.get("a"))) {
      String refusal =
          String.valueOf(assertThrows(InvalidRequestException.class, use::run).getMessage());
      for (String part : List.of("shop.Ticket", "component=code", "was=string", "is=int32 (int)")) {
        assertTrue(refusal.contains(part), refusal);
      }
    }
    assertEquals("Ticket[id=a, code=x1]", text(old, "a"));
    assertEquals(1, old.size());
  }
}
