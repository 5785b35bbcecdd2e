package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.Ballot;
import dev.isogrid.cluster.GonePolicy;
import dev.isogrid.cluster.MembershipMessage.Accept;
import dev.isogrid.cluster.MembershipMessage.Proposal;
import dev.isogrid.codec.ByteString;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.CacheRequest;
import dev.isogrid.topology.Link;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Pauses;
import dev.isogrid.topology.Recovery;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A majority that is gone for good, and an operator who lets the others go on. */
class MajorityRecoveryTest {
  private static final NodeId[] FIVE =
      IntStream.rangeClosed(1, 5).mapToObj(i -> new NodeId(0, i)).toArray(NodeId[]::new);
  private static final NodeId A = FIVE[0];
  private static final NodeId B = FIVE[1];
  private static final Set<NodeId> LEFT = Set.of(A, B);
  private static final Set<NodeId> GONE = Set.of(FIVE[2], FIVE[3], FIVE[4]);
  private static final int SEGMENTS = 32;
  private static final ByteString OLD = RealCluster.bytes("old");
  private static final ByteString NEW = RealCluster.bytes("new");
  private static final Outcome IS_OLD = new Outcome(Outcome.Kind.DONE, OLD);
  private static final Outcome DONE = new Outcome(Outcome.Kind.DONE, null);

  private final SteppedNodes nodes = new SteppedNodes(SEGMENTS);

  private Topology topology(NodeId of) {
    return requireNonNull(nodes.node(of).topology());
  }

  private void fill(NodeId by) {
    IntStream.range(0, SEGMENTS).forEach(segment -> nodes.put(by, segment, OLD));
    nodes.run(100);
    assertEquals(SEGMENTS, nodes.outcomes.stream().filter(DONE::equals).count());
  }

  private Outcome ask(NodeId at, TestCommand command, int segment) {
    List<Outcome> outcomes = new ArrayList<>();
    long deadline = nodes.now() + 2000 * SteppedNodes.MILLI;
    assertTrue(nodes.node(at).tryInvoke(command, segment, deadline, outcomes::add, nodes.now()));
    nodes.run(2100);
    return outcomes.getFirst();
  }

  private void recover(NodeId at, Set<NodeId> without) {
    nodes.node(at).recover(without, nodes.now());
    nodes.run(1000);
  }

  private void checkRecovered(Topology before, Set<NodeId> left) {
    Topology after = topology(A);
    assertTrue(Recovery.isBetween(before.epoch(), after.epoch()), "epoch=" + after.epoch());
    nodes.run(3000);
    for (NodeId node : left) {
      assertNull(nodes.node(node).obstacle(nodes.now()));
      assertEquals(topology(A), topology(node));
    }
    for (int i = 0; i < SEGMENTS; i++) {
      boolean isLost = before.segments().get(i).isr().stream().noneMatch(left::contains);
      assertEquals(isLost, topology(A).segments().get(i).isOffline(), "segment=" + i);
    }
  }

  @Test
  void members_whoseMajorityIsDead_goOnWithWhatTheyHave() {
    nodes.start(GonePolicy.OF_TWO, FIVE);
    fill(A);
    Topology before = topology(A);
    nodes.nodes.keySet().removeAll(GONE);
    nodes.run(5000);
    assertEquals(0, nodes.servedBy(LEFT));
    assertEquals(before, topology(A));

    recover(A, GONE);
    assertNull(nodes.node(A).recoveryRefusal());
    checkRecovered(before, LEFT);
    int kept =
        IntStream.range(0, SEGMENTS)
            .filter(i -> !topology(A).segments().get(i).isOffline())
            .findFirst()
            .orElseThrow();
    assertEquals(IS_OLD, ask(B, TestCommand.get(OLD), kept));
    assertEquals(DONE, ask(B, TestCommand.put(NEW, NEW), kept));
    NodeId primary = requireNonNull(topology(A).segments().get(kept).primary());
    long place = nodes.node(primary).replica(kept).log().committed().seq(NEW);
    assertTrue(place > ReplicatedSegment.LOST_WRITES_MAX, "place=" + place);

    nodes.node(A).restartLost(0, topology(A).epoch());
    nodes.untilAllServedBy(LEFT);
    nodes.join(GonePolicy.OF_TWO, new NodeId(0, 6), "seat" + FIVE[2]);
    nodes.run(5000);
    assertEquals(3, topology(A).voters().size());
    assertEquals(IS_OLD, ask(new NodeId(0, 6), TestCommand.get(OLD), kept));
  }

  @Test
  void youngerOfTwo_whenTheOlderIsDead_goesOn() {
    nodes.start(GonePolicy.OF_TWO, A, B);
    fill(A);
    Topology before = topology(B);
    nodes.nodes.remove(A);
    nodes.run(3000);
    assertNotNull(nodes.node(B).obstacle(nodes.now()));
    recover(B, Set.of(A));
    assertTrue(Recovery.isBetween(before.epoch(), topology(B).epoch()));
    nodes.untilAllServedBy(Set.of(B));
    for (int i = 0; i < SEGMENTS; i++) {
      assertEquals(IS_OLD, ask(B, TestCommand.get(OLD), i));
    }
  }

  @Test
  void recovery_whereAMemberReachesTheMajority_isRefused() {
    nodes.start(GonePolicy.OF_TWO, FIVE);
    for (NodeId other : GONE) {
      nodes.cutLinks.add(new Link(A, other));
      nodes.cutLinks.add(new Link(other, A));
    }
    nodes.run(3000);
    Topology known = topology(A);
    recover(A, GONE);
    String refusal = requireNonNull(nodes.node(A).recoveryRefusal());
    assertTrue(refusal.contains("a majority of the voters answers it"), refusal);
    assertFalse(Recovery.isBetween(known.epoch(), topology(A).epoch()));
    recover(B, GONE);
    assertNotNull(nodes.node(B).recoveryRefusal());
    nodes.cutLinks.clear();
    nodes.untilAllServedBy(nodes.nodes.keySet());
  }

  @Test
  void recovery_withAMemberThatDoesNotAnswer_failsAndCanBeRepeated() {
    nodes.start(GonePolicy.OF_TWO, FIVE);
    Topology before = topology(A);
    nodes.nodes.keySet().removeAll(GONE);
    nodes.run(3000);
    recover(A, Set.of(FIVE[3], FIVE[4]));
    assertNull(nodes.node(A).recoveryRefusal());
    nodes.run(3000);
    assertEquals(
        "no answer came in time: nodes=[" + FIVE[2] + "]", nodes.node(A).recoveryRefusal());
    assertEquals(before, topology(A));
    recover(A, GONE);
    checkRecovered(before, LEFT);
  }

  /** Both ask for it at the same time, so both promised already. */
  @Test
  void recovery_atTwoNodesAtOnce_isDoneByOneAtMost() {
    nodes.start(GonePolicy.OF_TWO, FIVE);
    Topology before = topology(A);
    nodes.nodes.keySet().removeAll(GONE);
    nodes.run(3000);
    nodes.node(A).recover(GONE, nodes.now());
    nodes.node(B).recover(GONE, nodes.now());
    nodes.run(1000);
    assertEquals(before, topology(A));
    assertEquals(before, topology(B));
    assertNotNull(nodes.node(B).recoveryRefusal());
    nodes.run(8000);
    recover(A, GONE);
    checkRecovered(before, LEFT);
  }

  @Test
  void recovery_ofWhatWasAccepted_keepsIt() {
    nodes.start(GonePolicy.OF_TWO, FIVE);
    Topology before = topology(A);
    Topology decided = paused(before);
    nodes.nodes.keySet().removeAll(GONE);
    Ballot ballot = new Ballot(100, FIVE[4]);
    Proposal proposal = new Proposal(decided, Set.of());
    Accept accept = new Accept(before.epoch(), ballot, proposal, true, Set.of(), Set.of());
    nodes.node(B).onMessage(FIVE[4], accept, nodes.now());
    nodes.run(2000);
    recover(A, GONE);
    assertTrue(topology(A).pauses().all());
    assertTrue(Recovery.isBetween(decided.epoch(), topology(A).epoch()));
    assertEquals(topology(A), topology(B));
  }

  private static Topology paused(Topology before) {
    return new Topology(
        before.epoch() + 1,
        before.members(),
        before.voters(),
        before.groups(),
        before.segments(),
        before.caches(),
        before.lastCacheId(),
        new Pauses(before.pauses().changes() + 1, true, Set.of()),
        before.origin());
  }

  /** The operator was wrong: what the majority wrote meanwhile is lost, and all agree again. */
  @Test
  void membersThatWereTakenForDead_giveTheirCopiesUp() {
    nodes.start(GonePolicy.OF_TWO, FIVE);
    fill(A);
    Topology before = topology(A);
    for (NodeId left : LEFT) {
      for (NodeId other : GONE) {
        nodes.cutLinks.add(new Link(left, other));
        nodes.cutLinks.add(new Link(other, left));
      }
    }
    nodes.run(3000);
    int shared =
        IntStream.range(0, SEGMENTS)
            .filter(i -> isShared(before.segments().get(i)))
            .findFirst()
            .orElseThrow();
    assertEquals(DONE, ask(FIVE[2], TestCommand.put(NEW, NEW), shared));
    recover(A, GONE);
    checkRecovered(before, LEFT);
    nodes.cutLinks.clear();
    nodes.nodes.values().forEach(node -> node.discovered(List.of(FIVE)));
    nodes.run(10_000);
    nodes.nodes.keySet().forEach(node -> assertEquals(topology(A), topology(node)));
    assertEquals(5, topology(A).members().size());
    for (int i = 0; i < SEGMENTS; i++) {
      assertEquals(IS_OLD, ask(FIVE[4], TestCommand.get(OLD), i));
    }
    assertEquals(DONE, ask(FIVE[4], TestCommand.get(NEW), shared));
  }

  /**
   * The recovered topology waits for a node that gave its copies up, since the others had given
   * them to somebody else meanwhile.
   */
  @Test
  void segments_whoseLastReplicaGaveItsCopyUp_stayOfflineUntilTheyAreGivenUp() {
    nodes.start(GonePolicy.OF_TWO, FIVE);
    CacheGroup ofOne = new CacheGroup(1, SEGMENTS);
    assertTrue(nodes.node(A).tryDefine(new CacheRequest("one", ofOne, 1, "")));
    nodes.run(1000);
    List<Integer> ofB =
        IntStream.range(SEGMENTS, 2 * SEGMENTS)
            .filter(i -> B.equals(topology(A).segments().get(i).primary()))
            .boxed()
            .toList();
    assertFalse(ofB.isEmpty());
    for (NodeId other : List.of(FIVE).subList(1, FIVE.length)) {
      nodes.cutLinks.add(new Link(A, other));
      nodes.cutLinks.add(new Link(other, A));
    }
    nodes.node(B).updateProfile(new MemberProfile("", 0, "", "", "seat" + B));
    nodes.run(5000);
    ofB.forEach(i -> assertFalse(topology(B).segments().get(i).involves(B)));
    ofB.forEach(i -> assertEquals(DONE, ask(B, TestCommand.put(NEW, NEW), i)));

    recover(A, Set.of(FIVE).stream().filter(node -> !node.equals(A)).collect(toSet()));
    nodes.cutLinks.clear();
    nodes.nodes.values().forEach(node -> node.discovered(List.of(FIVE)));
    nodes.run(10_000);
    assertEquals(5, topology(A).members().size());
    for (int i : ofB) {
      assertTrue(topology(A).segments().get(i).isOffline());
      assertTrue(nodes.nodes.values().stream().noneMatch(node -> node.isServing(i, nodes.now())));
    }

    nodes.node(A).restartLost(1, topology(A).epoch());
    nodes.run(3000);
    for (int i : ofB) {
      assertEquals(DONE, ask(B, TestCommand.get(NEW), i));
      assertEquals(DONE, ask(B, TestCommand.put(NEW, NEW), i));
      NodeId primary = requireNonNull(topology(A).segments().get(i).primary());
      long place = nodes.node(primary).replica(i).log().committed().seq(NEW);
      assertEquals(SegmentReplica.firstPlace(1) + 1, place);
    }
  }

  /** It was an owner of a new cache, and did not hear of it before the recovery. */
  @Test
  void segments_whosePrimaryNeverHeardOfThem_beginAtPlacesThatNobodyUsed() {
    NodeId late = new NodeId(0, 6);
    List<NodeId> six = new ArrayList<>(List.of(FIVE));
    six.add(late);
    nodes.start(GonePolicy.OF_TWO, six.toArray(NodeId[]::new));
    assertFalse(topology(A).voters().contains(late));
    cutOff(late, six);
    CacheGroup group = new CacheGroup(2, SEGMENTS + 1);
    assertTrue(nodes.node(A).tryDefine(new CacheRequest("two", group, 1, "")));
    NodeId mistaken = FIVE[4];
    nodes.run(200);
    int segment =
        IntStream.rangeClosed(SEGMENTS, 2 * SEGMENTS)
            .filter(i -> late.equals(topology(mistaken).segments().get(i).primary()))
            .filter(i -> !topology(mistaken).segments().get(i).isr().contains(mistaken))
            .findFirst()
            .orElseThrow();
    cutOff(mistaken, six);
    nodes.run(3000);
    assertEquals(DONE, ask(A, TestCommand.put(NEW, NEW), segment));
    NodeId other = requireNonNull(topology(A).segments().get(segment).primary());
    long used = nodes.node(other).replica(segment).log().lastSeq();
    assertTrue(used < ReplicatedSegment.LOST_WRITES_MAX, "place=" + used);

    recover(mistaken, six.stream().filter(node -> !node.equals(mistaken)).collect(toSet()));
    nodes.cutLinks.removeAll(Set.of(new Link(mistaken, late), new Link(late, mistaken)));
    nodes.nodes.values().forEach(node -> node.discovered(six));
    nodes.run(3000);
    nodes.cutLinks.clear();
    nodes.run(10_000);
    assertEquals(DONE, ask(A, TestCommand.get(NEW), segment));
    assertEquals(DONE, ask(A, TestCommand.put(OLD, OLD), segment));
    NodeId primary = requireNonNull(topology(A).segments().get(segment).primary());
    long place = nodes.node(primary).replica(segment).log().committed().seq(OLD);
    assertTrue(place > ReplicatedSegment.LOST_WRITES_MAX, "place=" + place);
  }

  private void cutOff(NodeId node, List<NodeId> all) {
    for (NodeId other : all) {
      if (!other.equals(node)) {
        nodes.cutLinks.add(new Link(node, other));
        nodes.cutLinks.add(new Link(other, node));
      }
    }
  }

  private static boolean isShared(SegmentOwners owners) {
    return owners.isr().stream().anyMatch(LEFT::contains)
        && owners.isr().stream().anyMatch(GONE::contains);
  }

  @Test
  void recovery_byANodeThatIsNoMember_isRefused() {
    nodes.start(GonePolicy.OF_TWO, A, B);
    NodeId late = new NodeId(0, 9);
    nodes.join(GonePolicy.OF_TWO, late, "seat");
    nodes.node(late).recover(Set.of(A), nodes.now());
    assertNotNull(nodes.node(late).recoveryRefusal());
  }
}
