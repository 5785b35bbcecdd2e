package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidConfigurationException;
import dev.isogrid.api.MemoryUse;
import dev.isogrid.api.PageUse;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.FakeEnv;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The accounts of memory that a node and its caches give. */
class OffHeapUseTest {
  private static final long LIMIT_BYTES = 8 << 20;
  private static final int SEGMENTS = 8;
  private static final int ENTRIES = 2_000;

  private final Node node =
      Node.start(GridConfig.builder().offHeapMax(LIMIT_BYTES).build(), new FakeEnv().env());

  @AfterEach
  void close() {
    node.close();
  }

  private Cache<String, String> fill(String name, StorageType storage) {
    Cache<String, String> cache =
        node.createCache(name, CacheConfig.builder().storage(storage).segments(SEGMENTS).build());
    for (int i = 0; i < ENTRIES; i++) {
      cache.put("key" + i, "value".repeat(i % 50));
    }
    return cache;
  }

  @Test
  void offHeapUse_ofNode_isTheSumOfItsCaches() {
    assertEquals(LIMIT_BYTES, node.offHeapUse().maxBytes());
    assertEquals(0, node.offHeapUse().reservedBytes());

    long one = fill("one", StorageType.OFF_HEAP).memoryUse().allocatedBytes();
    assertEquals(one, node.offHeapUse().allocatedBytes());
    long two = fill("two", StorageType.OFF_HEAP).memoryUse().allocatedBytes();
    assertEquals(one + two, node.offHeapUse().allocatedBytes());
    assertTrue(node.offHeapUse().reservedBytes() >= one + two);
    assertTrue(node.offHeapUse().reservedBytes() <= LIMIT_BYTES);
    fill("heap", StorageType.HEAP_BINARY);
    assertEquals(one + two, node.offHeapUse().allocatedBytes());

    node.removeCache("one");
    assertEquals(two, node.offHeapUse().allocatedBytes());
    node.removeCache("two");
    assertEquals(0, node.offHeapUse().allocatedBytes());
    assertEquals(0, node.offHeapUse().reservedBytes());
  }

  @ParameterizedTest
  @EnumSource(StorageType.class)
  void memoryUse_ofCache_isTheSumOfItsSegmentsAndPages(StorageType storage) {
    Cache<String, String> cache = fill("c", storage);
    MemoryUse sum = MemoryUse.NONE;
    for (int segment = 0; segment < SEGMENTS; segment++) {
      MemoryUse use = cache.memoryUse(segment);
      sum = sum.plus(use);
      assertTrue(use.liveBytes() + use.deadBytes() + use.indexBytes() <= use.allocatedBytes());
      assertEquals(use.pages(), cache.pages(segment).size());
      if (storage == StorageType.OFF_HEAP) {
        assertEquals(
            use.liveBytes(), cache.pages(segment).stream().mapToLong(PageUse::liveBytes).sum());
      }
    }
    assertEquals(cache.memoryUse(), sum);
    assertTrue(sum.allocatedBytes() > 0);

    cache.clear();
    assertEquals(0, cache.memoryUse().liveBytes());
    assertEquals(0, cache.memoryUse().deadBytes());
  }

  @Test
  void memoryUse_ofNoSuchSegment_isRefused() {
    Cache<String, String> cache = fill("c", StorageType.OFF_HEAP);
    assertThrows(IndexOutOfBoundsException.class, () -> cache.memoryUse(SEGMENTS));
    assertThrows(IndexOutOfBoundsException.class, () -> cache.pages(-1));
  }

  @Test
  void build_ofNegativeLimit_isRefused() {
    GridConfig.Builder builder = GridConfig.builder().offHeapMax(-2);
    String message =
        String.valueOf(
            assertThrows(InvalidConfigurationException.class, builder::build).getMessage());
    assertTrue(message.contains("off-heap-max=-2"), message);
    assertEquals(GridConfig.OFF_HEAP_DEFAULT, GridConfig.builder().build().offHeapMaxBytes());
  }

  @Test
  void offHeapUse_withoutALimit_isHalfOfTheMemory() {
    try (Node unlimited = Node.start(GridConfig.builder().build(), new FakeEnv().env())) {
      assertTrue(unlimited.offHeapUse().maxBytes() > Runtime.getRuntime().maxMemory() / 8);
    }
  }
}
