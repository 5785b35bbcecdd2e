package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Grid;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.cluster.LogLines;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.CacheRequest;
import dev.isogrid.topology.Topology;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Caches that a member of another version defined in words that these nodes don't know. */
class OtherVersionCacheTest {
  private static final int SEGMENTS = 32;
  private static final CacheConfig KNOWN = EmbeddedNodes.distributed();

  private static EmbeddedNodes nodes;

  @BeforeAll
  static void start() throws Exception {
    nodes = EmbeddedNodes.start(2);
  }

  @AfterAll
  static void stop() {
    nodes.close();
  }

  private static Node node(int index) {
    return (Node) nodes.node(index);
  }

  private static void define(String name, CacheGroup group, String document) {
    requireNonNull(node(0).driver()).define(new CacheRequest(name, group, 1, document));
    for (int i = 0; i < 2; i++) {
      Node each = node(i);
      Await.until("the definition", () -> hasCache(each, name));
    }
  }

  private static boolean hasCache(Node node, String name) {
    Topology known = requireNonNull(node.topology());
    return known.cache(name) != null;
  }

  private static void checkRefusals(Grid node, String name) {
    for (Runnable operation :
        new Runnable[] {
          () -> node.cache(name),
          () -> node.cache(name, KNOWN),
          () -> node.createCache(name, KNOWN),
          () -> node.findCache(name),
          () -> ((Node) node).engine(name),
          () -> ((Node) node).checkServed(name)
        }) {
      String refusal =
          String.valueOf(assertThrows(RetryableGridException.class, operation::run).getMessage());
      assertTrue(refusal.contains("can't read its definition: cache=" + name), refusal);
      assertTrue(refusal.contains("reason="), refusal);
    }
    assertFalse(node.cacheNames().contains(name));
    assertNull(((Node) node).configOf(name));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          attribute | 2 | <distributed-cache owners="2" segments="32" mode="SYNC" colour="red"/>
          element   | 2 | <distributed-cache owners="2" segments="32"><wings/></distributed-cache>
          value     | 2 | <distributed-cache owners="2" segments="32" mode="SOON"/>
          kind      | 2 | <folded-cache owners="2" segments="32"/>
          other     | 2 | <distributed-cache owners="1" segments="8" colour="red"/>
          no-words  | 2 | <<<
          own       | 2147483647 | <local-cache colour="red"/>
          """)
  void unreadableDefinition_isRefusedByName_andAllElseIsServed(
      String name, int owners, String document) {
    int segments = name.equals("own") ? InternalCaches.SEGMENTS : SEGMENTS;
    try (LogLines log = new LogLines(UnreadableCaches.class)) {
      define(name, new CacheGroup(owners, segments), document);
      Await.until("warnings", () -> log.count("cache is not served by this node") == 2);
    }
    for (int i = 0; i < 2; i++) {
      assertNull(node(i).failure());
      checkRefusals(node(i), name);
      Cache<String, String> other = node(i).cache("beside", KNOWN);
      other.put("k" + i, name);
      assertEquals(name, other.get("k" + i));
    }
    assertTrue(node(1).removeCache(name));
    Cache<String, String> anew = node(1).cache(name, KNOWN);
    anew.put("k", "v");
    assertEquals("v", node(0).<String, String>cache(name, KNOWN).get("k"));
    assertTrue(node(0).removeCache(name));
  }

  @Test
  void knownPartsOfADefinition_areUsedForTheEntriesOfThisNode() {
    CacheGroup group = new CacheGroup(2, SEGMENTS, true);
    AgreedConfig read =
        AgreedConfig.of(
            "<distributed-cache owners=\"2\" segments=\"32\" mode=\"ASYNC\" colour=\"red\">"
                + "<expiration lifespan=\"5s\" shade=\"x\"/></distributed-cache>",
            group);
    assertTrue(String.valueOf(read.problem()).contains("shade"), String.valueOf(read.problem()));
    assertEquals(CacheMode.DIST_ASYNC, read.config().mode());
    assertEquals(5_000, read.config().lifespanMillis());
    AgreedConfig unread = AgreedConfig.of("<folded-cache/>", group);
    assertEquals(CacheMode.DIST_ASYNC, unread.config().mode());
    assertEquals(SEGMENTS, unread.config().segments());
    assertEquals(-1, unread.config().lifespanMillis());
  }
}
