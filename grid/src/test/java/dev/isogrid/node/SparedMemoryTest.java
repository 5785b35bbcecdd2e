package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.FakeEnv;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cache without a bound that fills the off-heap memory, and other caches beside it. */
class SparedMemoryTest {
  private static final long LIMIT_BYTES = 32 << 20;
  private static final byte[] VALUE = new byte[4_000];

  private final Node node =
      Node.start(GridConfig.builder().offHeapMax(LIMIT_BYTES).build(), new FakeEnv().env());

  @AfterEach
  void close() {
    node.close();
  }

  private Cache<Integer, byte[]> cache(String name) {
    return node.cache(
        name, CacheConfig.builder().storage(StorageType.OFF_HEAP).segments(16).build());
  }

  private static int fill(Cache<Integer, byte[]> cache) {
    for (int key = 0; ; key++) {
      try {
        cache.put(key, VALUE);
      } catch (CacheFullException _) {
        return key;
      }
    }
  }

  @Test
  void fullCache_leavesRoomForSmallOnes() {
    Cache<Integer, byte[]> large = cache("large");
    int count = fill(large);
    assertTrue(count * (long) VALUE.length > LIMIT_BYTES * 8 / 10, () -> "entries: " + count);
    for (int i = 0; i < 3; i++) {
      Cache<Integer, byte[]> small = cache("small" + i);
      for (int key = 0; key < 50; key++) {
        small.put(key, VALUE);
      }
      assertEquals(50, small.size());
    }
    assertThrows(CacheFullException.class, () -> large.put(count, VALUE));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4_000})
  void fullCache_byPutAll_leavesRoomForSmallOnes(int length) {
    Cache<Integer, byte[]> large = cache("large");
    Map<Integer, byte[]> part = new HashMap<>();
    assertThrows(
        CacheFullException.class,
        () -> {
          for (int key = 0; ; key++) {
            part.put(key, new byte[length]);
            if (part.size() == 100) {
              large.putAll(part);
              part.clear();
            }
          }
        });
    Cache<Integer, byte[]> small = cache("small");
    small.put(1, VALUE);
    assertEquals(1, small.size());
  }
}
