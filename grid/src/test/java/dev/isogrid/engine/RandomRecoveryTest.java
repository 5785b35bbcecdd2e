package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.base.Seeds;
import dev.isogrid.cluster.GonePolicy;
import dev.isogrid.codec.ByteString;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.CacheRequest;
import dev.isogrid.topology.Link;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Recovery;
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

/**
 * Some nodes are cut off from the majority, and an operator takes the others for dead, again and
 * again. All agree each time when they hear of each other.
 */
class RandomRecoveryTest {
  private static final int HISTORIES = 12;
  private static final int STEPS = 40;
  private static final int CUT_MAX = 2;
  private static final int OF_TWO = 8;
  private static final int OF_THREE = 8;
  private static final int GROUPS = 3;
  private static final int SEGMENTS = OF_TWO + 2 * OF_THREE;
  private static final List<ByteString> KEYS =
      List.of(RealCluster.bytes("a"), RealCluster.bytes("b"), RealCluster.bytes("c"));
  private static final NodeId[] FIVE =
      IntStream.rangeClosed(1, 5).mapToObj(i -> new NodeId(0, i)).toArray(NodeId[]::new);

  /** A place in a segment's order. */
  private record Place(int segment, long seq) {}

  private record Written(Object key, boolean changes, OperationId id) {}

  @Test
  void recoveries_ofClustersWhoseMajorityLives_endWithOneCluster() {
    int[] recoveries = new int[1];
    Seeds.run(HISTORIES, random -> recoveries[0] += new History(random).play());
    assertTrue(recoveries[0] > 0, "recoveries: " + recoveries[0]);
  }

  private static final class History {
    private final Random random;
    private final Map<Place, Written> written = new HashMap<>();
    private final SteppedNodes nodes = new SteppedNodes(OF_TWO, this::committed);
    private final Set<Place> underWay = new HashSet<>();
    private final Set<NodeId> apart = new HashSet<>();
    private boolean isRecovered;
    private int recoveries;
    private int values;

    History(Random random) {
      this.random = random;
    }

    /**
     * A place is that of one write, on both sides of a recovery too, unless the write was under way
     * then: it may have been acknowledged, or not.
     */
    private void committed(NodeId node, int segment, LogEntry entry) {
      Written now = new Written(entry.key(), entry.changes(), entry.id());
      Place place = new Place(segment, entry.seq());
      Written before = written.putIfAbsent(place, now);
      long last = nodes.node(node).replica(segment).log().lastSeq();
      if (last - entry.seq() >= ReplicatedSegment.LOST_WRITES_MAX) {
        underWay.add(place);
      }
      boolean isOne = before == null || before.equals(now) || underWay.contains(place);
      assertTrue(isOne, () -> node + ", " + place + ": " + before + ", " + now);
    }

    private Topology topology(NodeId of) {
      return requireNonNull(nodes.node(of).topology());
    }

    int play() {
      nodes.start(GonePolicy.OF_TWO, FIVE);
      nodes.nodes.values().forEach(node -> node.discovered(List.of(FIVE)));
      define("three", new CacheGroup(3, OF_THREE));
      define("threeAsync", new CacheGroup(3, OF_THREE, true));
      for (int i = 0; i < STEPS; i++) {
        change();
        for (int put = 0; put < 10; put++) {
          put(FIVE[random.nextInt(FIVE.length)], random.nextInt(SEGMENTS));
        }
        nodes.run(random.nextInt(10) == 0 ? 3000 : random.nextInt(1200));
        checkCopies();
      }
      end();
      return recoveries;
    }

    /** No primary began a segment that it has no copy of. */
    private void checkCopies() {
      for (NodeId node : FIVE) {
        for (int segment = 0; segment < nodes.node(node).replicaCount(); segment++) {
          SegmentReplica replica = nodes.node(node).replica(segment);
          assertTrue(replica.role() != SegmentReplica.Role.PRIMARY || replica.hasCopy());
        }
      }
    }

    private void define(String name, CacheGroup group) {
      assertTrue(nodes.node(FIVE[0]).tryDefine(new CacheRequest(name, group, 1, "")));
      nodes.run(1000);
    }

    private void change() {
      switch (random.nextInt(4)) {
        case 0 -> cut();
        case 1 -> heal();
        default -> recover();
      }
    }

    private void cut() {
      for (int i = random.nextInt(CUT_MAX) + 1; i > 0 && apart.size() < CUT_MAX; i--) {
        apart.add(FIVE[random.nextInt(FIVE.length)]);
      }
      nodes.cutLinks.clear();
      for (NodeId one : FIVE) {
        for (NodeId other : FIVE) {
          if (apart.contains(one) != apart.contains(other)) {
            nodes.cutLinks.add(new Link(one, other));
          }
        }
      }
    }

    private void heal() {
      boolean mustSettle = isRecovered;
      apart.clear();
      nodes.cutLinks.clear();
      isRecovered = false;
      if (mustSettle) {
        nodes.run(10_000); // or a second part would be recovered beside the first
        if (recoveries % 2 == 0) {
          giveUpLost();
        }
      }
    }

    /** Segments whose last replica has no copy any more are for the operator to give up. */
    private void giveUpLost() {
      Topology known = topology(FIVE[0]);
      for (int group = 0; group < GROUPS; group++) {
        nodes.node(FIVE[0]).restartLost(group, known.epoch());
      }
      nodes.run(3000);
    }

    private void recover() {
      if (apart.isEmpty() || isRecovered) {
        return;
      }
      NodeId at = List.copyOf(apart).get(random.nextInt(apart.size()));
      int before = topology(at).epoch();
      Set<NodeId> without = new HashSet<>(Set.of(FIVE));
      without.removeAll(apart);
      nodes.node(at).recover(without, nodes.now());
      nodes.run(random.nextInt(2000));
      nodes.node(at).forgetRecovery();
      isRecovered = Recovery.isBetween(before, topology(at).epoch());
      recoveries += isRecovered ? 1 : 0;
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

    private void end() {
      heal();
      nodes.run(10_000);
      for (NodeId node : FIVE) {
        assertEquals(topology(FIVE[0]), topology(node));
      }
      assertEquals(FIVE.length, topology(FIVE[0]).members().size());
      giveUpLost();
      assertEquals(0, IntStream.range(0, GROUPS).map(topology(FIVE[0])::offline).sum());
      for (int segment = 0; segment < SEGMENTS; segment++) {
        List<Outcome> outcomes = new ArrayList<>();
        for (NodeId at : FIVE) {
          long deadline = nodes.now() + 2000 * SteppedNodes.MILLI;
          TestCommand get = TestCommand.get(KEYS.getFirst());
          assertTrue(nodes.node(at).tryInvoke(get, segment, deadline, outcomes::add, nodes.now()));
        }
        nodes.run(100);
        assertEquals(FIVE.length, outcomes.size());
        assertEquals(1, new HashSet<>(outcomes).size(), outcomes.toString());
        assertEquals(Outcome.Kind.DONE, outcomes.getFirst().kind());
      }
    }
  }
}
