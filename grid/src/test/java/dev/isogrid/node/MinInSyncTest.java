package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.RetryableGridException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Caches that are written only while there are enough copies. */
@Timeout(60)
class MinInSyncTest {
  private static CacheConfig config(CacheMode mode) {
    return CacheConfig.builder().mode(mode).owners(2).minInSync(2).segments(4).build();
  }

  private static void expectRefused(Cache<String, String> cache) {
    RetryableGridException refused =
        assertThrows(RetryableGridException.class, () -> cache.put("k", "w"));
    String told = String.valueOf(refused.getMessage());
    assertTrue(told.startsWith("too few copies are in sync: cache=c, segment="), told);
    assertTrue(told.contains("in-sync=1, min-in-sync=2; try again"), told);
    assertThrows(RetryableGridException.class, () -> cache.putAll(Map.of("k", "w", "l", "w")));
    assertThrows(RetryableGridException.class, () -> cache.remove("k"));
    assertThrows(RetryableGridException.class, () -> cache.replace("k", "w"));
    assertThrows(RetryableGridException.class, () -> cache.compute("k", (_, _) -> "w"));
    assertThrows(RetryableGridException.class, cache::clear);
  }

  @ParameterizedTest
  @EnumSource(
      value = CacheMode.class,
      names = {"DIST_SYNC", "REPL_SYNC", "DIST_ASYNC", "REPL_ASYNC"})
  void writes_withTooFewCopies_areRefusedUntilThereAreEnough(CacheMode mode) throws Exception {
    try (SteppedGrids grids = SteppedGrids.start(1, 1)) {
      grids.create("c", config(mode));
      Node left = grids.nodes().getFirst();
      Cache<String, String> cache = left.cache("c");
      grids.time.call(() -> cache.put("k", "v"));
      grids.time.settle();
      grids.kill(grids.nodes().getLast());
      assertEquals("v", cache.get("k"));
      expectRefused(cache);
      assertEquals("v", cache.get("k"));
      assertEquals("v", cache.putIfAbsent("k", "w"), "which changes nothing");
      grids.join(1);
      grids.await(() -> grids.owners("c", 0).isr().size() == 2);
      grids.time.settle();
      assertEquals("v", grids.time.call(() -> cache.put("k", "w")));
      assertEquals("w", cache.get("k"));
    }
  }

  @Test
  void writes_ofANodeThatIsAlone_areRefused() throws Exception {
    try (SteppedGrids grids = SteppedGrids.start(1)) {
      grids.create("c", config(CacheMode.DIST_SYNC));
      Cache<String, String> cache = grids.nodes().getFirst().cache("c");
      assertNull(cache.get("k"));
      RetryableGridException refused =
          assertThrows(RetryableGridException.class, () -> cache.put("k", "w"));
      assertTrue(String.valueOf(refused.getMessage()).contains("in-sync=1, min-in-sync=2"));
      assertEquals(0, cache.size());
    }
  }
}
