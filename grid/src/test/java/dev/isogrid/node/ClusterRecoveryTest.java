package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.LostMajority;
import dev.isogrid.api.Rebalancing;
import dev.isogrid.testkit.Await;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recovery of a majority that is gone for good by an operator, with nodes over TCP. */
class ClusterRecoveryTest {
  private static final int KEYS = 60;

  @TempDir private Path folder;

  /** The other nodes live, which the operator does not know. */
  @Test
  void recoverMajority_atANodeThatIsCutOff_goesOnWithWhatItHas() throws Exception {
    try (SplitNodes nodes = SplitNodes.start(folder, 3)) {
      int here = nodes.byAge().getLast();
      CacheConfig config = EmbeddedNodes.distributed().toBuilder().owners(1).build();
      CacheConfig everywhere = EmbeddedNodes.distributed().toBuilder().owners(3).build();
      Cache<String, String> single = nodes.cache(here, "single", config);
      Cache<String, String> kept = nodes.cache(here, "kept", everywhere);
      nodes.awaitWhole();
      for (int i = 0; i < KEYS; i++) {
        single.put("k" + i, "old");
        kept.put("k" + i, "old");
      }
      Rebalancing rebalancing = nodes.node(here).rebalancing();
      assertNull(rebalancing.lostMajority());
      assertThrows(InvalidRequestException.class, () -> rebalancing.recoverMajority("1-2"));

      nodes.cutAll();
      Await.until("a lost majority", () -> rebalancing.lostMajority() != null);
      LostMajority lost = requireNonNull(rebalancing.lostMajority());
      assertEquals(List.of("n" + here), lost.staying());
      assertEquals(2, lost.missing().size());
      assertEquals(List.of("single"), List.copyOf(lost.lostSegments().keySet()));
      assertTrue(lost.mayLackWrites());
      assertTrue(lost.losesSomething());
      assertThrows(GridException.class, () -> kept.put("other", "value"));
      InvalidRequestException other =
          assertThrows(
              InvalidRequestException.class, () -> rebalancing.recoverMajority("1-00000000"));
      assertTrue(requireNonNull(other.getMessage()).contains(lost.confirmation()));

      assertEquals(lost, rebalancing.recoverMajority(lost.confirmation()));
      assertNull(rebalancing.lostMajority());
      Await.until("a lease", () -> nodes.node(here).hasMajority());
      for (int i = 0; i < KEYS; i++) {
        assertEquals("old", kept.put("k" + i, "new"));
      }
      assertEquals(lost.lostSegments(), Map.of("single", rebalancing.lostSegments("single")));

      nodes.heal();
      nodes.awaitWhole();
      List<Cache<String, String>> all = new ArrayList<>();
      for (int i : nodes.byAge()) {
        all.add(nodes.cache(i, "kept", everywhere));
      }
      for (Cache<String, String> each : all) {
        assertEquals("new", each.get("k1"));
      }
      assertEquals(0, rebalancing.lostSegments("single"));
      assertEquals("old", single.get("k1"));
    }
  }

  @Test
  void lostMajority_withoutACluster_isRefused() {
    try (Grid grid = Grid.start()) {
      assertThrows(InvalidRequestException.class, () -> grid.rebalancing().lostMajority());
      assertThrows(
          InvalidRequestException.class, () -> grid.rebalancing().recoverMajority("1-00000000"));
    }
  }
}
