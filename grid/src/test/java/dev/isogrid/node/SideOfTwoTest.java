package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.MergePolicy;
import dev.isogrid.engine.SideCounts;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes without the majority share what they keep. */
@Tag("deep")
class SideOfTwoTest {
  private static final int KEYS = 30;
  private static final String CACHE = "available";

  @TempDir private static Path folder;

  private final CacheConfig config = SplitNodes.available(MergePolicy.NONE);

  private static void putAll(Cache<String, String> cache, String prefix, int from, int to) {
    for (int i = from; i < to; i++) {
      cache.put("k" + i, prefix + i);
    }
  }

  private void expect(SplitNodes nodes, String prefix, int from, int to) {
    for (int node : nodes.byAge()) {
      for (int i = from; i < to; i++) {
        String key = "k" + i;
        assertEquals(prefix + i, nodes.cache(node, CACHE, config).get(key), key + " at " + node);
      }
    }
  }

  @Test
  void sideOfTwo_keepsEachWriteTwice_andHandsItOverForOneThatIsGone() throws Exception {
    try (SplitNodes nodes = SplitNodes.start(folder, 4)) {
      putAll(nodes.cache(0, CACHE, config), "before", 0, KEYS);
      nodes.awaitWhole();
      List<Integer> side = nodes.twoWithoutMajority();
      Cache<String, String> one = nodes.cache(side.get(0), CACHE, config);
      Cache<String, String> two = nodes.cache(side.get(1), CACHE, config);
      nodes.awaitHeard(side, CACHE);
      nodes.cut(side);
      nodes.awaitApart(side);
      putAll(one, "side", 0, 2 * KEYS);
      for (int i = 0; i < 2 * KEYS; i++) {
        assertEquals("side" + i, two.get("k" + i));
        assertTrue(two.replace("k" + i, "side" + i, "again" + i));
        assertEquals("again" + i, one.get("k" + i));
      }
      assertTrue(nodes.node(side.get(0)).sideCounts().keptBytes() > 0);
      assertTrue(nodes.node(side.get(1)).sideCounts().keptBytes() > 0);
      nodes.heal();
      nodes.awaitWhole();
      expect(nodes, "again", 0, 2 * KEYS);
      assertEquals(0, nodes.sum(SideCounts::conflicts));
      assertEquals(2 * KEYS, nodes.sum(SideCounts::handedOver));
      nodes.awaitHeard(side, CACHE);
      nodes.cut(side);
      nodes.awaitApart(side);
      putAll(one, "last", 0, 2 * KEYS);
      nodes.kill(side.get(0));
      assertEquals("last1", two.get("k1"));
      nodes.heal();
      nodes.awaitWhole();
      expect(nodes, "last", 0, 2 * KEYS);
      assertEquals(0, nodes.sum(SideCounts::conflicts));
    }
  }
}
