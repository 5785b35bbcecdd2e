package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.GonePolicy;
import dev.isogrid.topology.NodeId;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Segments whose two nodes are cut off together. */
class CutOffTogetherTest {
  private static final NodeId[] FIVE =
      IntStream.rangeClosed(1, 5).mapToObj(i -> new NodeId(0, i)).toArray(NodeId[]::new);
  private static final int SEGMENTS = 64;

  private final SteppedNodes nodes = new SteppedNodes(SEGMENTS);

  private static List<NodeId> replicas(ClusterNode node, int segment) {
    return requireNonNull(node.topology()).segments().get(segment).isr();
  }

  /** One is missed before the other; it does not matter which of them is gone for good. */
  @ParameterizedTest
  @CsvSource({"true, 0", "true, 100", "true, 300", "false, 100", "false, 300"})
  void segmentsOfTwo_comeBackWithEither(boolean isFirstBack, long apartMillis) {
    nodes.start(GonePolicy.OF_TWO, FIVE);
    NodeId first = FIVE[1];
    NodeId last = FIVE[2];
    ClusterNode oldest = nodes.node(FIVE[0]);
    long shared =
        IntStream.range(0, SEGMENTS)
            .filter(i -> replicas(oldest, i).containsAll(Set.of(first, last)))
            .count();
    assertTrue(shared > 0);
    nodes.cutOff.add(first);
    nodes.run(apartMillis);
    nodes.cutOff.add(last);
    nodes.run(3000);
    Set<NodeId> rest = Set.of(FIVE[0], FIVE[3], FIVE[4]);
    assertEquals(SEGMENTS - shared, nodes.servedBy(rest));
    nodes.nodes.remove(isFirstBack ? last : first);
    nodes.cutOff.clear();
    nodes.untilAllServedBy(nodes.nodes.keySet());
  }

  /** A node that is dead is not waited for longer since another one is slow. */
  @ParameterizedTest
  @CsvSource({"0", "500"})
  void segments_whenOneNodeDies_areServedInTime(long pauseMillis) {
    nodes.start(GonePolicy.OF_TWO, FIVE);
    nodes.nodes.remove(FIVE[1]);
    nodes.cutOff.add(FIVE[2]);
    nodes.run(pauseMillis);
    nodes.cutOff.clear();
    long millis = pauseMillis + nodes.untilAllServedBy(nodes.nodes.keySet());
    assertTrue(millis < 1200, "milliseconds: " + millis);
  }
}
