package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.Grid;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.RebalanceProgress;
import dev.isogrid.api.Rebalancing;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.Topology;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The operators' view of rebalancing, and their actions. */
class RebalancingTest {
  private static final int KEYS = 300;

  private static void fill(Cache<String, String> cache) {
    for (int i = 0; i < KEYS; i++) {
      cache.put("key" + i, "value" + i);
    }
  }

  private static void check(Cache<String, String> cache) {
    for (int i = 0; i < KEYS; i++) {
      assertEquals("value" + i, cache.get("key" + i));
    }
  }

  private static void await(String what, Await.Condition condition) throws Exception {
    Await.until(what, condition);
  }

  private static boolean owns(Grid grid, String name) {
    Topology known = requireNonNull(((Node) grid).topology());
    return known.members().stream()
        .filter(member -> member.profile().name().equals(name))
        .anyMatch(member -> known.segments().stream().anyMatch(one -> one.involves(member.id())));
  }

  @Test
  void pause_heldOverTheLossOfItsNode_movesNothingUntilResumed() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(3)) {
      Grid first = nodes.node(0);
      Grid second = nodes.node(1);
      fill(first.cache("c", EmbeddedNodes.distributed()));
      await("all copies are there", () -> first.rebalancing().progress().isComplete());
      first.rebalancing().pause();
      await("the others know of the pause", () -> second.rebalancing().isPaused());
      assertTrue(second.rebalancing().isPaused("c"));
      first.close();
      Grid joined = nodes.join("late");

      RebalanceProgress held = joined.rebalancing().progress();
      assertTrue(held.isPaused());
      assertEquals(List.of("c"), held.pausedCaches());
      await("copies are missing", () -> second.rebalancing().progress().copiesLeft() > 0);
      assertEquals(-1, second.rebalancing().progress().secondsLeft());
      assertEquals(0, second.rebalancing().progress().copiesUnderWay());
      assertFalse(owns(joined, "late"));
      check(joined.cache("c"));

      second.rebalancing().resume();
      await("all copies are there", () -> second.rebalancing().progress().isComplete());
      assertTrue(owns(second, "late"));
      assertTrue(second.rebalancing().progress().bytesDone() > 0);
      assertEquals(0, second.rebalancing().progress().secondsLeft());
      nodes.node(2).close();
      await("all copies are there", () -> joined.rebalancing().progress().isComplete());
      check(joined.cache("c"));
    }
  }

  /** Entries whose copies take long enough at the least speed to be seen under way. */
  private static void fillLarge(Cache<String, byte[]> cache) {
    for (int i = 0; i < 40; i++) {
      cache.put("key" + i, new byte[20_000]);
    }
  }

  @Test
  void limit_ofOneNode_slowsTheCopiesOfAll_alsoToNodesThatJoinLater() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(2)) {
      Grid first = nodes.node(0);
      Grid second = nodes.node(1);
      fillLarge(first.cache("c", EmbeddedNodes.distributed()));
      await("all copies are there", () -> first.rebalancing().progress().isComplete());
      assertEquals(Rebalancing.AS_CONFIGURED, second.rebalancing().bytesPerSecondMax());
      first.rebalancing().limit(Rebalancing.SPEED_MIN);
      await(
          "the other one knows",
          () -> second.rebalancing().bytesPerSecondMax() == Rebalancing.SPEED_MIN);
      first.close();
      long begun = System.nanoTime();
      Grid joined = nodes.join("late");
      assertEquals(Rebalancing.SPEED_MIN, joined.rebalancing().bytesPerSecondMax());
      joined.<String, byte[]>cache("c").put("meanwhile", new byte[1]);
      await("half of it is sent", () -> second.rebalancing().progress().bytesDone() > 400_000);
      double seconds = (System.nanoTime() - begun) / 1e9;
      assertTrue(seconds > 0.7 * 400_000 / Rebalancing.SPEED_MIN, "seconds=" + seconds);
      joined.rebalancing().limit(Rebalancing.UNLIMITED);
      await("all copies are there", () -> joined.rebalancing().progress().isComplete());
      second.close();
      assertEquals(41, joined.cache("c").size());
    }
  }

  @Test
  void limit_ofNoSpeedThatThereIs_isRefused() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(1)) {
      Rebalancing rebalancing = nodes.node(0).rebalancing();
      for (long wrong : List.of(-1L, 1L, Rebalancing.SPEED_MIN - 1)) {
        assertThrows(InvalidRequestException.class, () -> rebalancing.limit(wrong));
      }
      rebalancing.limit(Rebalancing.SPEED_MIN);
      rebalancing.limit(Rebalancing.AS_CONFIGURED);
      assertEquals(Rebalancing.AS_CONFIGURED, rebalancing.bytesPerSecondMax());
    }
  }

  @Test
  void pause_ofACache_isThatOfItsShape() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(1)) {
      Grid grid = nodes.node(0);
      grid.cache("c", EmbeddedNodes.distributed());
      grid.cache("same", EmbeddedNodes.distributed());
      grid.cache("other", EmbeddedNodes.distributed().toBuilder().owners(1).build());
      grid.rebalancing().pause("c");

      assertEquals(List.of("c", "same"), grid.rebalancing().progress().pausedCaches());
      assertTrue(grid.rebalancing().isPaused("same"));
      assertFalse(grid.rebalancing().isPaused("other"));
      assertFalse(grid.rebalancing().isPaused());
      grid.rebalancing().resume("same");
      assertEquals(List.of(), grid.rebalancing().progress().pausedCaches());
      assertThrows(InvalidRequestException.class, () -> grid.rebalancing().pause("none"));
    }
  }

  @Test
  void rebalancing_withoutCluster_isComplete() {
    try (Grid grid = Grid.start()) {
      assertEquals(RebalanceProgress.NONE, grid.rebalancing().progress());
      assertFalse(grid.rebalancing().isPaused());
      assertThrows(InvalidRequestException.class, () -> grid.rebalancing().pause());
      assertEquals(Rebalancing.AS_CONFIGURED, grid.rebalancing().bytesPerSecondMax());
    }
  }
}
