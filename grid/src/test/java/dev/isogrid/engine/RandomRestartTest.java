package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.base.Seeds;
import dev.isogrid.cluster.GonePolicy;
import dev.isogrid.codec.ByteString;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.CacheRequest;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Nodes are cut off and come back, and what is lost meanwhile is given up, again and again. */
class RandomRestartTest {
  private static final int HISTORIES = 20;
  private static final int STEPS = 40;
  private static final int CUT_MAX = 2;
  private static final int OF_TWO = 8;
  private static final int OF_ONE = 8;
  private static final int SEGMENTS = OF_TWO + 2 * OF_ONE;
  private static final List<ByteString> KEYS =
      List.of(RealCluster.bytes("a"), RealCluster.bytes("b"), RealCluster.bytes("c"));
  private static final NodeId[] FIVE =
      IntStream.rangeClosed(1, 5).mapToObj(i -> new NodeId(0, i)).toArray(NodeId[]::new);

  /** A place in a segment's order. */
  private record Place(int segment, long seq) {}

  private record Written(Object key, boolean changes, OperationId id) {}

  @Test
  void restarts_neverMixWhatWasBeforeWithWhatIsAfter() {
    int[] restarts = new int[1];
    Seeds.run(HISTORIES, random -> restarts[0] += new History(random).play());
    assertTrue(restarts[0] > HISTORIES, "restarts: " + restarts[0]);
  }

  private static final class History {
    private final Random random;
    private final Map<Place, Written> written = new HashMap<>();
    private final SteppedNodes nodes = new SteppedNodes(OF_TWO, this::committed);
    private int values;

    History(Random random) {
      this.random = random;
    }

    /** A place is that of one write, on all nodes and in all lives of the segment. */
    private void committed(NodeId node, int segment, LogEntry entry) {
      Written now = new Written(entry.key(), entry.changes(), entry.id());
      Written before = written.putIfAbsent(new Place(segment, entry.seq()), now);
      assertTrue(before == null || before.equals(now), () -> node + ": " + before + ", " + now);
    }

    private Topology topology() {
      return requireNonNull(leader().topology());
    }

    /** Of those that are not cut off, the one that knows most. */
    private ClusterNode leader() {
      return nodes.nodes.values().stream()
          .filter(node -> !nodes.cutOff.contains(node.self()))
          .max((a, b) -> Integer.compare(epoch(a), epoch(b)))
          .orElseThrow();
    }

    private static int epoch(ClusterNode node) {
      Topology known = node.topology();
      return known == null ? 0 : known.epoch();
    }

    int play() {
      nodes.start(GonePolicy.OF_TWO, FIVE);
      define("one", new CacheGroup(1, OF_ONE));
      define("oneAsync", new CacheGroup(1, OF_ONE, true));
      for (int i = 0; i < STEPS; i++) {
        change();
        for (int put = 0; put < 10; put++) {
          put(FIVE[random.nextInt(FIVE.length)], random.nextInt(SEGMENTS));
        }
        nodes.run(random.nextInt(10) == 0 ? 3000 : random.nextInt(800));
        checkLives();
      }
      end();
      return topology().segments().stream().mapToInt(SegmentOwners::restarts).sum();
    }

    private void define(String name, CacheGroup group) {
      assertTrue(nodes.node(FIVE[0]).tryDefine(new CacheRequest(name, group, 1, "")));
      nodes.run(1000);
    }

    private void change() {
      NodeId any = FIVE[random.nextInt(FIVE.length)];
      switch (random.nextInt(4)) {
        case 0 -> {
          if (nodes.cutOff.size() < CUT_MAX) {
            nodes.cutOff.add(any);
          }
        }
        case 1 -> nodes.cutOff.remove(any);
        case 2 -> restart();
        default -> {
          // It goes on.
        }
      }
    }

    private void restart() {
      ClusterNode by = leader();
      by.restartLost(random.nextInt(topology().groups().size()), topology().epoch());
    }

    private void put(NodeId at, int segment) {
      ByteString value = RealCluster.bytes("value" + ++values);
      ByteString key = KEYS.get(random.nextInt(KEYS.size()));
      long deadline = nodes.now() + 500 * SteppedNodes.MILLI;
      boolean isBegun =
          nodes
              .node(at)
              .tryInvoke(TestCommand.put(key, value), segment, deadline, _ -> {}, nodes.now());
      assertTrue(isBegun || nodes.node(at).callCount() > 0);
    }

    /**
     * Nothing that a node keeps of a segment is of another life than it knows the segment to be.
     */
    private void checkLives() {
      for (ClusterNode node : nodes.nodes.values()) {
        for (int i = 0; i < node.replicaCount(); i++) {
          SegmentReplica replica = node.replica(i);
          int restarts = replica.owners().restarts();
          for (ByteString key : KEYS) {
            long seq = replica.log().committed().seq(key);
            boolean isOfLife =
                seq > SegmentReplica.firstPlace(restarts)
                    && seq <= SegmentReplica.firstPlace(restarts + 1);
            assertTrue(seq == 0 || isOfLife, node.self() + ", " + replica.owners() + ": " + seq);
          }
        }
      }
    }

    private void end() {
      nodes.cutOff.clear();
      nodes.run(5000);
      for (int group = 0; group < topology().groups().size(); group++) {
        leader().restartLost(group, topology().epoch());
      }
      nodes.run(5000);
      checkLives();
      assertEquals(FIVE.length, topology().members().size());
      assertEquals(0, IntStream.range(0, 3).map(topology()::offline).sum());
      List<Outcome> outcomes = new ArrayList<>();
      Set<Outcome> answers = new HashSet<>();
      for (int segment = 0; segment < SEGMENTS; segment++) {
        for (NodeId at : FIVE) {
          long deadline = nodes.now() + 2000 * SteppedNodes.MILLI;
          TestCommand get = TestCommand.get(KEYS.getFirst());
          assertTrue(nodes.node(at).tryInvoke(get, segment, deadline, outcomes::add, nodes.now()));
        }
        nodes.run(100);
        assertEquals(FIVE.length, outcomes.size());
        answers.addAll(outcomes);
        assertEquals(1, answers.size(), answers.toString());
        assertEquals(Outcome.Kind.DONE, outcomes.getFirst().kind());
        outcomes.clear();
        answers.clear();
      }
    }
  }
}
