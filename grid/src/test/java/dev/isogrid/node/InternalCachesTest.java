package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.FakeEnv;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The caches that a node keeps for itself, and what users see of them: nothing. */
class InternalCachesTest {
  private static final CacheConfig BYTES =
      CacheConfig.builder().storage(StorageType.HEAP_BINARY).build();

  private final Node node =
      Node.start(GridConfig.builder().nodeName("n").build(), new FakeEnv().env());

  @AfterEach
  void close() {
    node.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"___", "___x", "org.infinispan.", "org.infinispan.COUNTER"})
  void createCache_ofReservedName_isRefused(String name) {
    for (int round = 0; round < 2; round++) {
      InvalidRequestException refusal =
          assertThrows(InvalidRequestException.class, () -> node.createCache(name, BYTES));
      assertEquals(
          "reserved cache name: name=%s; choose one that begins neither with ___ nor with"
                  .formatted(name)
              + " org.infinispan.",
          refusal.getMessage());
      assertThrows(InvalidRequestException.class, () -> node.cache(name));
      assertThrows(InvalidRequestException.class, () -> node.removeCache(name));
      assertNull(node.findCache(name));
      node.internalCache(name); // from now on there is one
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"__x", "org.infinispan", "x___", "dev.isogrid.x"})
  void createCache_ofSimilarName_isAllowed(String name) {
    assertNotNull(node.createCache(name, BYTES));
    assertEquals(Set.of(name), node.cacheNames());
    assertThrows(IllegalArgumentException.class, () -> node.internalCache(name));
  }

  @Test
  void internalCache_isTheSameEachTime_andInNoList() {
    var first = node.internalCache("___x");
    assertSame(first, node.internalCache("___x"));
    node.internalCache(InternalCaches.COUNTERS);
    assertEquals(Set.of(), node.cacheNames());
    assertNull(node.anyEngine("___x"));
    assertEquals(CacheMode.LOCAL, first.config().mode());
  }

  @Test
  void engine_forClients_isOnlyThereForOpenNames() {
    assertNull(node.engine("___x"));
    var open = node.internalCache("___x", "application/x-protostream");
    node.internalCache(InternalCaches.COUNTERS);
    assertSame(open, node.engine("___x"));
    assertEquals("application/x-protostream", open.config().valueMediaType());
    assertNull(node.engine(InternalCaches.COUNTERS));
  }
}
