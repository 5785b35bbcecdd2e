package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.GonePolicy;
import dev.isogrid.codec.ByteString;
import dev.isogrid.topology.Link;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A caller and a primary don't reach each other, while a third member reaches both. */
class CutCallerTest {
  private static final NodeId FIRST = new NodeId(0, 1);
  private static final NodeId SECOND = new NodeId(0, 2);
  private static final NodeId THIRD = new NodeId(0, 3);
  private static final int SEGMENTS = 16;
  private static final ByteString KEY = RealCluster.bytes("key");
  private static final Outcome STORED = new Outcome(Outcome.Kind.DONE, null);
  private static final Outcome REPLACED = new Outcome(Outcome.Kind.DONE, KEY);
  private static final long FIRST_MILLIS = 1000;
  private static final long LATER_MILLIS = 50;

  private int commits;

  private final SteppedNodes nodes =
      new SteppedNodes(
          SEGMENTS,
          (node, segment, _) -> commits += node.equals(owners(segment).primary()) ? 1 : 0);

  /** A member that has nothing of the segment. */
  private NodeId caller = FIRST;

  private int segment;

  private SegmentOwners owners(int of) {
    Topology known = requireNonNull(nodes.node(FIRST).topology());
    return known.segments().get(of);
  }

  @BeforeEach
  void start() {
    nodes.start(GonePolicy.OF_TWO, FIRST, SECOND, THIRD);
    segment = 0;
    while (owners(segment).involves(THIRD)) {
      segment++;
    }
    caller = THIRD;
  }

  private void cut(boolean isToPrimary, boolean isFromPrimary) {
    NodeId primary = requireNonNull(owners(segment).primary());
    if (isToPrimary) {
      nodes.cutLinks.add(new Link(caller, primary));
    }
    if (isFromPrimary) {
      nodes.cutLinks.add(new Link(primary, caller));
    }
  }

  private long untilDone(int count) {
    long start = nodes.now();
    while (nodes.outcomes.size() < count) {
      nodes.run(SteppedNodes.STEP_MILLIS);
    }
    return (nodes.now() - start) / SteppedNodes.MILLI;
  }

  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true"})
  void writes_areDoneOnceByWayOfAnotherMember(boolean isToPrimary, boolean isFromPrimary) {
    cut(isToPrimary, isFromPrimary);
    nodes.put(caller, segment, KEY);
    assertTrue(untilDone(1) <= FIRST_MILLIS);
    nodes.put(caller, segment, KEY);
    long later = untilDone(2);
    assertTrue(later <= LATER_MILLIS, "later: " + later);
    assertEquals(List.of(STORED, REPLACED), nodes.outcomes);
    assertEquals(2, commits);
    assertEquals(3, requireNonNull(nodes.node(FIRST).topology()).members().size());
  }

  @Test
  void writes_whenTheCutIsOver_needNobodyElse() {
    cut(true, true);
    nodes.put(caller, segment, KEY);
    untilDone(1);
    nodes.cutLinks.clear();
    nodes.put(caller, segment, KEY);
    untilDone(2);
    NodeId primary = requireNonNull(owners(segment).primary());
    List.of(FIRST, SECOND, THIRD).stream()
        .filter(node -> !node.equals(primary) && !node.equals(caller))
        .forEach(node -> nodes.cutLinks.add(new Link(caller, node)));
    nodes.put(caller, segment, KEY);
    assertTrue(untilDone(3) <= LATER_MILLIS);
    assertEquals(List.of(STORED, REPLACED, REPLACED), nodes.outcomes);
  }
}
