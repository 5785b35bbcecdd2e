package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.GonePolicy;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two of three voters are missing, and one of them comes back with the only copies. */
class ReturningVoterTest {
  private static final NodeId FIRST = new NodeId(0, 1);
  private static final NodeId SECOND = new NodeId(0, 2);
  private static final NodeId THIRD = new NodeId(0, 3);
  private static final int SEGMENTS = 64;
  private static final long STOOD_STILL_MILLIS = 3000;
  private static final long WATCHED_MILLIS = 3000;

  private final SteppedNodes nodes = new SteppedNodes(SEGMENTS);

  private long offline() {
    Topology known = requireNonNull(nodes.node(FIRST).topology());
    return known.segments().stream().filter(SegmentOwners::isOffline).count();
  }

  /** The others had begun to decide on a cluster without it, which they may not any more. */
  @ParameterizedTest
  @ValueSource(longs = {0, 200, 400, 600, 700})
  void voter_thatOthersWantedToGiveUp_losesNoSegmentWhenItIsBack(long laterMillis) {
    nodes.start(GonePolicy.OF_TWO, FIRST, SECOND, THIRD);
    nodes.nodes.remove(THIRD);
    List.of(FIRST, SECOND).forEach(node -> nodes.node(node).gone(Map.of(THIRD, nodes.now())));
    nodes.run(laterMillis);
    nodes.cutOff.add(SECOND);
    nodes.run(STOOD_STILL_MILLIS);
    nodes.cutOff.clear();
    for (long ran = 0; ran < WATCHED_MILLIS; ran += SteppedNodes.STEP_MILLIS) {
      nodes.run(SteppedNodes.STEP_MILLIS);
      assertEquals(0, offline(), "after ms: " + ran);
    }
    assertTrue(nodes.untilAllServedBy(nodes.nodes.keySet()) < STOOD_STILL_MILLIS);
  }
}
