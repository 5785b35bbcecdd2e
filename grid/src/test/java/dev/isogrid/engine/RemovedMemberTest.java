package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.GonePolicy;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A member that is removed has no lease any more, whatever it owned. */
class RemovedMemberTest {
  private static final NodeId FIRST = new NodeId(0, 1);
  private static final NodeId SECOND = new NodeId(0, 2);
  private static final NodeId THIRD = new NodeId(0, 3);
  private static final long PATIENCE_MILLIS = 5000;

  /** Twice as long as it takes to remove a member that is silent. */
  private static final long BUSY_MILLIS = 2000;

  /** Less than what is left of a lease when its node begins to leave. */
  private static final long QUICK_MILLIS = 500;

  private final SteppedNodes nodes = new SteppedNodes(1);

  private Topology known(NodeId node) {
    return requireNonNull(nodes.node(node).topology());
  }

  private void untilRemoved(NodeId gone, long patienceMillis) {
    NodeId other = gone.equals(FIRST) ? SECOND : FIRST;
    for (long ran = 0; known(other).member(gone) != null; ran += SteppedNodes.STEP_MILLIS) {
      assertTrue(ran < patienceMillis, "not removed in " + ran + " ms");
      nodes.run(SteppedNodes.STEP_MILLIS);
    }
  }

  /** A node that is not the leading voter and keeps the only segment, or does not. */
  private NodeId node(boolean keepsCopy) {
    return List.of(SECOND, THIRD).stream()
        .filter(node -> keepsCopy == known(FIRST).keepsCopy(node))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void removal_ofAMemberThatOwnsNothing_waitsForItsLease() {
    nodes.start(GonePolicy.OF_TWO, FIRST, SECOND, THIRD);
    NodeId idle = node(false);
    assertTrue(nodes.node(idle).isLeased(nodes.now()));
    nodes.cutOff.add(idle);
    untilRemoved(idle, PATIENCE_MILLIS);
    assertFalse(nodes.node(idle).isLeased(nodes.now()));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void removal_ofAMemberThatLeaves_waitsForNothing(boolean keepsCopy) {
    nodes.start(GonePolicy.OF_TWO, FIRST, SECOND, THIRD);
    NodeId leaving = node(keepsCopy);
    nodes.node(leaving).leave();
    untilRemoved(leaving, QUICK_MILLIS);
    assertFalse(nodes.node(leaving).isLeased(nodes.now()));
  }

  @Test
  void memberThatCameJustNow_leavesForGood() {
    nodes.start(GonePolicy.OF_TWO, FIRST, SECOND);
    nodes.join(GonePolicy.OF_TWO, THIRD);
    for (long ran = 0; known(FIRST).member(THIRD) == null; ran += SteppedNodes.STEP_MILLIS) {
      assertTrue(ran < PATIENCE_MILLIS, "not in after " + ran + " ms");
      nodes.run(SteppedNodes.STEP_MILLIS);
    }
    nodes.node(THIRD).leave();
    untilRemoved(THIRD, PATIENCE_MILLIS);
    for (long ran = 0; ran < PATIENCE_MILLIS; ran += SteppedNodes.STEP_MILLIS) {
      nodes.run(SteppedNodes.STEP_MILLIS);
      assertNull(known(FIRST).member(THIRD));
    }
  }

  @Test
  void memberWhoseMessagesWait_isKeptForAWhile_butNotForEver() {
    nodes.start(GonePolicy.OF_TWO, FIRST, SECOND, THIRD);
    nodes.waiting.add(THIRD);
    nodes.run(BUSY_MILLIS);
    assertNotNull(known(FIRST).member(THIRD));
    untilRemoved(THIRD, PATIENCE_MILLIS);
  }

  @Test
  void replicaWhoseAnswersWait_staysInSyncForAWhile() {
    nodes.start(GonePolicy.OF_TWO, FIRST, SECOND, THIRD);
    NodeId primary = requireNonNull(known(FIRST).segments().getFirst().primary());
    NodeId backup =
        known(FIRST).segments().getFirst().isr().stream()
            .filter(node -> !node.equals(primary))
            .findFirst()
            .orElseThrow();
    nodes.waiting.add(backup);
    nodes.put(primary, 0, RealCluster.bytes("key"));
    nodes.run(BUSY_MILLIS);
    assertTrue(known(primary).segments().getFirst().isr().contains(backup));
    nodes.waiting.clear();
    nodes.run(QUICK_MILLIS);
    assertEquals(1, nodes.outcomes.size());
    assertTrue(known(primary).segments().getFirst().isr().contains(backup));
  }
}
