package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.base.SteppedTime;
import dev.isogrid.node.CacheSetting.Viewpoint;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The properties of whole nodes that contracts rely on. */
@Timeout(60)
class SteppedGridsTest {
  private static final CacheConfig CONFIG =
      CacheConfig.builder().mode(CacheMode.DIST_SYNC).segments(4).build();

  @Test
  void viewpoints_ofAKey_areThreeNodesThatFindWhatOneWrote() throws Exception {
    try (SteppedGrids grids = SteppedGrids.start(1, 1, 1)) {
      grids.create("c", CONFIG);
      for (int index = 0; index < 4; index++) {
        Set<Node> nodes = new HashSet<>();
        for (Viewpoint each : Set.of(Viewpoint.PRIMARY, Viewpoint.BACKUP, Viewpoint.NON_OWNER)) {
          Node node = grids.node(each, "c", index);
          nodes.add(node);
          node.<String, String>cache("c").put("k", each.name());
          for (Node other : grids.nodes()) {
            assertEquals(each.name(), other.<String, String>cache("c").get("k"));
          }
        }
        assertEquals(3, nodes.size());
      }
    }
  }

  @Test
  void kill_ofThePrimary_leavesTwoNodesThatHaveAll() throws Exception {
    try (SteppedGrids grids = SteppedGrids.start(1, 1, 1)) {
      grids.create("c", CONFIG);
      Cache<String, String> first = grids.nodes().getFirst().cache("c");
      for (int i = 0; i < 40; i++) {
        first.put("k" + i, "v");
      }
      Node primary = grids.node(Viewpoint.PRIMARY, "c", 0);
      grids.kill(primary);
      assertEquals(2, grids.nodes().size());
      assertNotEquals(primary, grids.node(Viewpoint.PRIMARY, "c", 0));
      for (Node node : grids.nodes()) {
        Cache<String, String> cache = node.cache("c");
        assertEquals(40, grids.time.call(cache::size), "which may have to ask once more");
      }
    }
  }

  @Test
  void time_ofTheWallClock_standsStillWhileNodesAreWaitedFor() throws Exception {
    try (SteppedGrids grids = SteppedGrids.start(1, 1, 1)) {
      grids.create("c", CONFIG);
      assertEquals(SteppedTime.START_MILLIS, grids.time.nowMillis());
      grids.time.advance(25);
      assertEquals(SteppedTime.START_MILLIS + 25, grids.time.nowMillis());
      assertThrows(
          ArithmeticException.class,
          () ->
              grids.time.call(() -> {
                throw new ArithmeticException("on purpose");
              }));
    }
  }
}
