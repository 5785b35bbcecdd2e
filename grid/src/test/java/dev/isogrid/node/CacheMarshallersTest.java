package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.Marshaller;
import dev.isogrid.api.StorageType;
import dev.isogrid.testkit.Await;
import dev.isogrid.wire.MediaTypes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which marshaller a cache has on the nodes of a cluster. */
class CacheMarshallersTest {
  private static final CacheConfig DISTRIBUTED = EmbeddedNodes.distributed();

  /** A value of the caches. */
  record Amount(int cents) {}

  /** Amounts as text. Any node can make one. */
  public static final class Amounts implements Marshaller<Amount> {
    @Override
    public byte[] toBytes(Amount amount) {
      return (amount.cents() + " cents").getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public Amount fromBytes(byte[] bytes) {
      String text = new String(bytes, StandardCharsets.US_ASCII);
      return new Amount(Integer.parseInt(text.substring(0, text.indexOf(' '))));
    }

    @Override
    public String mediaType() {
      return "text/x-amount";
    }
  }

  /** Texts with something before them. No node can make one without knowing that. */
  private record Prefixed(String prefix) implements Marshaller<Object> {
    @Override
    public byte[] toBytes(Object object) {
      return (prefix + object).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Object fromBytes(byte[] bytes) {
      String text = new String(bytes, StandardCharsets.UTF_8);
      if (!text.startsWith(prefix)) {
        throw new InvalidRequestException("another marshaller's: " + text);
      }
      return text.substring(prefix.length());
    }

    @Override
    public String mediaType() {
      return MediaTypes.TEXT_PLAIN;
    }
  }

  private static void putHundred(Cache<String, Amount> cache) {
    cache.putAll(
        IntStream.range(0, 100).boxed().collect(Collectors.toMap(i -> "k" + i, Amount::new)));
  }

  @Test
  void marshallerOfACache_isUsedOnAllNodes() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(2)) {
      CacheConfig config = DISTRIBUTED.toBuilder().valueMarshaller(new Amounts()).build();
      Cache<String, Amount> first = nodes.node(0).cache("amounts", config);
      putHundred(first);

      assertEquals(4950, first.values().stream().mapToInt(amount -> amount.cents()).sum());
      assertEquals(
          Map.of(0, 50L, 1, 50L),
          nodes.node(0).mapReduce(first).countBy((_, amount) -> amount.cents() % 2).execute());
      Cache<String, Amount> second = nodes.node(1).cache("amounts");
      assertEquals(new Amount(7), second.get("k7"));
      Cache<String, Amount> joined = nodes.join("n2").cache("amounts");
      assertEquals(4950, joined.values().stream().mapToInt(amount -> amount.cents()).sum());
      for (Cache<String, Amount> each : List.of(first, second, joined)) {
        assertInstanceOf(Amounts.class, each.config().valueMarshaller());
        assertEquals("text/x-amount", each.config().valueMediaType());
        assertEquals(MediaTypes.PROTOSTREAM, each.config().keyMediaType());
      }
      assertSame(second, nodes.node(1).cache("amounts", config)); // an equal one, another instance
      String refusal = refusal(() -> nodes.node(1).cache("amounts", marshalledBy(new Odd())));
      assertTrue(
          refusal.contains(
              "valueMarshaller is %s, wanted %s"
                  .formatted(Amounts.class.getName(), Odd.class.getName())),
          refusal);
    }
  }

  /** A marshaller that does not fit. */
  public static final class Odd implements Marshaller<Object> {
    @Override
    public byte[] toBytes(Object object) {
      return new byte[0];
    }

    @Override
    public Object fromBytes(byte[] bytes) {
      return "odd";
    }

    @Override
    public String mediaType() {
      return "text/x-amount";
    }
  }

  private static CacheConfig marshalledBy(Marshaller<?> marshaller) {
    return DISTRIBUTED.toBuilder().valueMarshaller(marshaller).build();
  }

  private static String refusal(Runnable call) {
    return String.valueOf(assertThrows(InvalidRequestException.class, call::run).getMessage());
  }

  @Test
  void namedMarshaller_isEachNodesOwn_andMissedByANodeWithoutIt() throws Exception {
    Prefixed[] prefixed = {new Prefixed("p:"), new Prefixed("p:")};
    try (EmbeddedNodes nodes =
        EmbeddedNodes.start(2, i -> GridConfig.builder().marshaller("prefix", prefixed[i]))) {
      Cache<String, String> first = nodes.node(0).cache("texts", marshalledBy(prefixed[0]));
      for (int i = 0; i < 100; i++) {
        first.put("k" + i, "v" + i);
      }
      assertEquals("v1", nodes.node(1).<String, String>cache("texts").get("k1"));

      Grid joined = nodes.join("n2");
      nodes.awaitCopies();
      String refusal = refusal(() -> joined.cache("texts"));

      assertTrue(
          refusal.startsWith(
              "this node lacks the marshaller of a cache: cache=texts, node=n2, marshaller=prefix"),
          refusal);
      assertTrue(refusal.contains("marshaller(\"prefix\", marshaller)"), refusal);
      Await.until("entries there", () -> countAt(nodes.node(0), joined) > 0);
      first.put("k1", "w1");
      assertEquals("w1", first.get("k1"));
      assertEquals(100, first.size());
      assertEquals(100, first.entrySet().stream().count());
      RuntimeException failure =
          assertThrows(
              RuntimeException.class,
              () -> first.values().stream().map(text -> text + "!").max(String::compareTo));
      assertTrue(String.valueOf(failure.getMessage()).contains("cache=texts, node=n2"));
    }
  }

  private static int countAt(Grid from, Grid at) {
    int count = 0;
    var affinity = from.<String>keyAffinity("texts", () -> "unused");
    for (int i = 0; i < 100; i++) {
      count += at.nodeName().equals(affinity.nodeOf("k" + i)) ? 1 : 0;
    }
    return count;
  }

  @Test
  void marshallerThatOtherNodesCantMake_isRefusedInACluster() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(1);
        Grid alone = Grid.start()) {
      CacheConfig config = marshalledBy(new Prefixed("x"));

      String refusal = refusal(() -> nodes.node(0).cache("c", config));

      assertTrue(refusal.contains("class=" + Prefixed.class.getName()), refusal);
      assertTrue(refusal.contains("GridConfig.builder().marshaller("), refusal);
      assertNull(nodes.node(0).findCache("c"));
      Cache<String, String> cache = alone.cache("c", toLocal(config));
      cache.put("k", "v");
      assertEquals("v", cache.get("k"));
    }
  }

  private static CacheConfig toLocal(CacheConfig config) {
    return config.toBuilder().mode(CacheMode.LOCAL).storage(StorageType.OFF_HEAP).build();
  }

  @Test
  void marshallerOfTheGrid_isThatOfTheCachesThatItDefines() throws Exception {
    Marshaller<Object> grids = new Prefixed("g:");
    try (EmbeddedNodes nodes =
        EmbeddedNodes.start(
            2, i -> i == 0 ? GridConfig.builder().marshaller(grids) : GridConfig.builder())) {
      Cache<String, String> own = nodes.node(0).cache("own", DISTRIBUTED);
      own.put("k", "v");
      Cache<String, String> others = nodes.node(1).cache("others", DISTRIBUTED);
      others.put("k", "v");

      assertSame(grids, own.config().keyMarshaller());
      assertSame(grids, own.config().valueMarshaller());
      assertEquals("v", nodes.node(0).<String, String>cache("others").get("k"));
      Marshaller<?> builtIn =
          Objects.requireNonNull(nodes.node(0).cache("others").config().valueMarshaller());
      assertEquals(MediaTypes.PROTOSTREAM, builtIn.mediaType());
      String refusal = refusal(() -> nodes.node(1).cache("own"));
      assertTrue(refusal.contains("marshaller=" + Prefixed.class.getName()), refusal);
      assertEquals(Set.of("own", "others"), nodes.node(1).cacheNames());
    }
  }

  @Test
  void marshallerOfTheGrid_isThatOfLocalCachesOfBytesOnly() {
    Marshaller<Object> grids = new Prefixed("g:");
    try (Grid alone = Grid.start(GridConfig.builder().marshaller(grids).build())) {
      assertNull(alone.cache("objects").config().valueMarshaller());
      CacheConfig bytes = toLocal(CacheConfig.builder().segments(4).build());
      Cache<String, Object> cache = alone.cache("bytes", bytes);
      cache.put("k", 5);

      assertEquals("5", cache.get("k"));
      assertSame(grids, cache.config().valueMarshaller());
      alone.<String, Object>multimap("m").put("k", 6);
      assertEquals("[6]", alone.multimap("m").get("k").toString());
    }
  }
}
