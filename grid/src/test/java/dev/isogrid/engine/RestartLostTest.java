package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.GonePolicy;
import dev.isogrid.cluster.MembershipMessage.Learn;
import dev.isogrid.cluster.MembershipMessage.RestartLost;
import dev.isogrid.codec.ByteString;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.CacheRequest;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Segments that lost all their replicas, and begin anew since an operator says so. */
class RestartLostTest {
  private static final NodeId[] FIVE =
      IntStream.rangeClosed(1, 5).mapToObj(i -> new NodeId(0, i)).toArray(NodeId[]::new);
  private static final NodeId OLDEST = FIVE[0];
  private static final NodeId X = FIVE[1];
  private static final NodeId Y = FIVE[2];
  private static final Set<NodeId> REST = Set.of(FIVE[0], FIVE[3], FIVE[4]);
  private static final int SEGMENTS = 64;
  private static final ByteString OLD = RealCluster.bytes("old");
  private static final ByteString NEW = RealCluster.bytes("new");
  private static final Outcome NOTHING = new Outcome(Outcome.Kind.DONE, null);

  private final SteppedNodes nodes = new SteppedNodes(SEGMENTS);

  /** The segments whose only replicas are X and Y. */
  private List<Integer> shared = List.of();

  @BeforeEach
  void start() {
    nodes.start(GonePolicy.OF_TWO, FIVE);
    shared =
        IntStream.range(0, SEGMENTS)
            .filter(i -> owners(i).isr().containsAll(Set.of(X, Y)))
            .boxed()
            .toList();
    assertTrue(shared.size() > 1);
    for (int i = 0; i < SEGMENTS; i++) {
      nodes.put(OLDEST, i, OLD);
    }
    nodes.run(100);
    assertEquals(SEGMENTS, count(NOTHING));
  }

  private Topology topology() {
    return requireNonNull(nodes.node(OLDEST).topology());
  }

  private SegmentOwners owners(int segment) {
    return topology().segments().get(segment);
  }

  private long count(Outcome outcome) {
    return nodes.outcomes.stream().filter(outcome::equals).count();
  }

  private Outcome ask(NodeId at, TestCommand command, int segment) {
    List<Outcome> outcomes = new ArrayList<>();
    long deadline = nodes.now() + 2000 * SteppedNodes.MILLI;
    assertTrue(nodes.node(at).tryInvoke(command, segment, deadline, outcomes::add, nodes.now()));
    nodes.run(2100);
    return outcomes.getFirst();
  }

  private void cutBoth() {
    nodes.cutOff.addAll(Set.of(X, Y));
    nodes.run(3000);
    assertEquals(SEGMENTS - shared.size(), nodes.servedBy(REST));
    shared.forEach(i -> assertTrue(owners(i).isOffline()));
    assertEquals(shared.size(), topology().offline(0));
  }

  private void restart() {
    nodes.node(OLDEST).restartLost(0, topology().epoch());
    nodes.run(1000);
  }

  private void deliver(RestartLost request) {
    for (NodeId id : topology().voters()) {
      ClusterNode voter = nodes.nodes.get(id);
      if (voter != null) {
        voter.onMessage(OLDEST, request, nodes.now());
      }
    }
    nodes.run(1000);
  }

  private ReplicaLog log(NodeId node, int segment) {
    return nodes.node(node).replica(segment).log();
  }

  @Test
  void segments_whoseNodesAreDead_beginEmptyAndAreCopiedOnceGivenUp() {
    long lastSeq = log(X, shared.getFirst()).lastSeq();
    nodes.nodes.remove(X);
    nodes.nodes.remove(Y);
    nodes.run(5000);
    shared.forEach(i -> assertTrue(owners(i).isOffline()));
    Outcome refused = ask(OLDEST, TestCommand.get(OLD), shared.getFirst());
    assertEquals(new Outcome(Outcome.Kind.FAILED, null), refused);

    int inEpoch = topology().epoch();
    restart();
    assertEquals(0, topology().offline(0));
    nodes.untilAllServedBy(REST);
    for (int i = 0; i < SEGMENTS; i++) {
      assertEquals(shared.contains(i) ? 1 : 0, owners(i).restarts());
      boolean isNew = owners(i).segEpoch() > inEpoch;
      assertTrue(isNew || !shared.contains(i));
    }
    int segment = shared.getFirst();
    assertEquals(NOTHING, ask(OLDEST, TestCommand.get(OLD), segment));
    assertEquals(
        new Outcome(Outcome.Kind.DONE, OLD),
        ask(OLDEST, TestCommand.get(OLD), others().getFirst()));
    assertEquals(NOTHING, ask(FIVE[3], TestCommand.put(OLD, NEW), segment));
    assertEquals(new Outcome(Outcome.Kind.DONE, NEW), ask(FIVE[4], TestCommand.get(OLD), segment));

    nodes.run(3000);
    SegmentOwners owners = owners(segment);
    assertEquals(2, owners.isr().size());
    assertTrue(REST.containsAll(owners.isr()));
    for (NodeId node : owners.isr()) {
      assertEquals(NEW, log(node, segment).committed().value(OLD));
      assertTrue(log(node, segment).committed().seq(OLD) > lastSeq);
      assertEquals(SegmentReplica.firstPlace(1) + 1, log(node, segment).committed().seq(OLD));
    }
  }

  private List<Integer> others() {
    return IntStream.range(0, SEGMENTS).filter(i -> !shared.contains(i)).boxed().toList();
  }

  @Test
  void operations_thatWaitForALostSegment_areDoneWhenItBeginsAnew() {
    cutBoth();
    nodes.outcomes.clear();
    shared.forEach(i -> nodes.put(FIVE[3], i, NEW));
    nodes.run(500);
    assertEquals(List.of(), nodes.outcomes);
    restart();
    assertEquals(shared.size(), count(NOTHING));
  }

  @Test
  void replica_thatWasOnlyCutOff_bringsNoOldEntriesBack() {
    cutBoth();
    restart();
    nodes.untilAllServedBy(REST);
    int written = shared.getFirst();
    int unwritten = shared.getLast();
    assertEquals(NOTHING, ask(OLDEST, TestCommand.put(NEW, NEW), written));

    nodes.cutOff.clear();
    nodes.run(5000);
    assertEquals(5, topology().members().size());
    assertEquals(SEGMENTS, nodes.servedBy(nodes.nodes.keySet()));
    assertTrue(shared.stream().anyMatch(i -> owners(i).involves(X) || owners(i).involves(Y)));
    for (int segment : shared) {
      for (NodeId node : FIVE) {
        assertNull(log(node, segment).committed().value(OLD), node + " has " + segment);
      }
    }
    for (NodeId at : List.of(X, FIVE[3])) {
      assertEquals(NOTHING, ask(at, TestCommand.get(OLD), written));
      assertEquals(NOTHING, ask(at, TestCommand.get(OLD), unwritten));
      assertEquals(new Outcome(Outcome.Kind.DONE, NEW), ask(at, TestCommand.get(NEW), written));
    }
  }

  /**
   * The topologies between are lost on their way, so the node never hears that it lost its part.
   */
  @Test
  void replica_thatBecomesPrimaryOfTheRestartedSegment_keepsNothingOfBefore() {
    nodes.nodes.keySet().retainAll(Set.of(X));
    int segment = shared.getFirst();
    assertEquals(OLD, log(X, segment).committed().value(OLD));
    Topology known = requireNonNull(nodes.node(X).topology());
    int epoch = known.epoch() + 3;
    List<SegmentOwners> owners = new ArrayList<>();
    known
        .segments()
        .forEach(_ -> owners.add(new SegmentOwners(epoch, X, List.of(X), List.of(), 2)));
    Topology next =
        new Topology(
            epoch,
            known.members().stream().filter(member -> member.id().equals(X)).toList(),
            List.of(X),
            known.groups(),
            owners,
            known.caches(),
            known.lastCacheId());
    nodes.node(X).onMessage(Y, new Learn(next), nodes.now());
    nodes.run(2000);

    assertEquals(SEGMENTS, nodes.servedBy(Set.of(X)));
    assertEquals(NOTHING, ask(X, TestCommand.get(OLD), segment));
    assertEquals(NOTHING, ask(X, TestCommand.put(OLD, NEW), segment));
    assertEquals(SegmentReplica.firstPlace(2) + 1, log(X, segment).committed().seq(OLD));
  }

  @Test
  void request_forSegmentsThatAreOnlySilent_doesNothing() {
    nodes.cutOff.addAll(Set.of(X, Y));
    nodes.run(200);
    int inEpoch = topology().epoch();
    assertEquals(5, topology().members().size());
    nodes.node(OLDEST).restartLost(0, inEpoch);
    deliver(new RestartLost(inEpoch, 0, inEpoch));
    nodes.run(3000);
    shared.forEach(i -> assertTrue(owners(i).isOffline()));
    deliver(new RestartLost(topology().epoch(), 0, inEpoch));
    shared.forEach(i -> assertTrue(owners(i).isOffline()));

    nodes.cutOff.clear();
    nodes.untilAllServedBy(nodes.nodes.keySet());
    shared.forEach(i -> assertEquals(0, owners(i).restarts()));
    Outcome old = new Outcome(Outcome.Kind.DONE, OLD);
    shared.forEach(i -> assertEquals(old, ask(OLDEST, TestCommand.get(OLD), i)));
  }

  @Test
  void request_thatComesAgain_changesNothing() {
    cutBoth();
    int inEpoch = topology().epoch();
    restart();
    nodes.untilAllServedBy(REST);
    shared.forEach(i -> nodes.put(OLDEST, i, NEW));
    nodes.run(3000);
    Topology before = topology();
    deliver(new RestartLost(before.epoch(), 0, inEpoch));
    deliver(new RestartLost(before.epoch(), 0, before.epoch()));
    deliver(new RestartLost(before.epoch(), 0, Integer.MAX_VALUE));
    assertEquals(before, topology());
    Outcome kept = new Outcome(Outcome.Kind.DONE, NEW);
    shared.forEach(i -> assertEquals(kept, ask(OLDEST, TestCommand.get(NEW), i)));
  }

  /** Segments of one owner are lost with each node, so the restarted ones are lost once more. */
  @Test
  void request_thatIsLate_doesNothingToWhatWasLostSince() {
    assertTrue(nodes.node(OLDEST).tryDefine(new CacheRequest("single", 1, 16, 1, "")));
    nodes.run(1000);
    nodes.nodes.remove(FIVE[4]);
    nodes.run(3000);
    int first = topology().offline(1);
    int inEpoch = topology().epoch();
    assertTrue(first > 0);
    nodes.node(OLDEST).restartLost(1, inEpoch);
    nodes.run(1000);
    assertEquals(0, topology().offline(1));
    NodeId heir =
        topology().segmentsOf(1).stream()
            .filter(each -> each.restarts() == 1 && !OLDEST.equals(each.primary()))
            .map(each -> requireNonNull(each.primary()))
            .findFirst()
            .orElseThrow();
    nodes.nodes.remove(heir);
    nodes.run(3000);
    int second = topology().offline(1);
    assertTrue(second > 0);
    deliver(new RestartLost(inEpoch, 1, inEpoch));
    assertEquals(second, topology().offline(1));

    nodes.node(OLDEST).restartLost(1, topology().epoch());
    nodes.run(1000);
    assertEquals(0, topology().offline(1));
    assertTrue(topology().segmentsOf(1).stream().anyMatch(each -> each.restarts() == 2));
    assertNotEquals(SegmentReplica.firstPlace(1), SegmentReplica.firstPlace(2));
  }

  /** The nodes of the lost segments live, with the entries of the cache that was removed before. */
  @Test
  void cache_thatIsNewInAGroupWithLostSegments_beginsEmpty() {
    int id = requireNonNull(topology().cache("cache")).id();
    nodes.nodes.values().forEach(node -> node.forget("cache"));
    assertTrue(nodes.node(OLDEST).tryUndefine("cache", id));
    nodes.run(1000);
    assertEquals(List.of(), topology().caches());
    cutBoth();
    CacheRequest request = new CacheRequest("new", 2, SEGMENTS, 1, "");
    assertTrue(nodes.node(OLDEST).tryDefine(request));
    nodes.run(1000);

    assertEquals(0, topology().offline(0));
    nodes.untilAllServedBy(REST);
    shared.forEach(i -> assertEquals(1, owners(i).restarts()));
    others().forEach(i -> assertEquals(0, owners(i).restarts()));
    int segment = shared.getFirst();
    assertEquals(NOTHING, ask(FIVE[3], TestCommand.put(OLD, NEW), segment));

    nodes.cutOff.clear();
    nodes.run(5000);
    assertEquals(new Outcome(Outcome.Kind.DONE, NEW), ask(X, TestCommand.get(OLD), segment));
    for (int i : shared.subList(1, shared.size())) {
      for (NodeId node : FIVE) {
        assertNull(log(node, i).committed().value(OLD), node + " has " + i);
      }
    }
  }

  @Test
  void asynchronousSegment_beginsEmptyToo() {
    CacheGroup group = new CacheGroup(1, 16, true);
    assertTrue(nodes.node(OLDEST).tryDefine(new CacheRequest("async", group, 1, "")));
    nodes.run(1000);
    int segment =
        IntStream.range(SEGMENTS, SEGMENTS + 16)
            .filter(i -> X.equals(owners(i).primary()))
            .findFirst()
            .orElseThrow();
    assertEquals(NOTHING, ask(OLDEST, TestCommand.put(OLD, OLD), segment));
    cutBoth();
    nodes.node(OLDEST).restartLost(1, topology().epoch());
    nodes.run(1000);
    assertEquals(NOTHING, ask(OLDEST, TestCommand.put(OLD, NEW), segment));
    nodes.cutOff.clear();
    nodes.run(5000);
    assertEquals(new Outcome(Outcome.Kind.DONE, NEW), ask(X, TestCommand.get(OLD), segment));
    NodeId primary = requireNonNull(owners(segment).primary());
    assertTrue(log(primary, segment).committed().seq(OLD) > SegmentReplica.firstPlace(1));
    assertEquals(shared.size(), shared.stream().filter(i -> owners(i).restarts() == 0).count());
  }

  @Test
  void firstPlaces_riseFarAndStayBelowThoseOfSides() {
    assertEquals(0, SegmentReplica.firstPlace(0));
    for (int i = 1; i <= SegmentOwners.RESTARTS_MAX; i++) {
      long way = SegmentReplica.firstPlace(i) - SegmentReplica.firstPlace(i - 1);
      assertTrue(way > 50_000_000, "restart " + i + ": " + way);
    }
    assertFalse(SegmentReplica.firstPlace(1) < 16_000_000_000L);
    assertTrue(SegmentReplica.firstPlace(SegmentOwners.RESTARTS_MAX) < Sides.SIDE_BIT);
  }
}
