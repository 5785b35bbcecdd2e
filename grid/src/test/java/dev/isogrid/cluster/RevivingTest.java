package dev.isogrid.cluster;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.MembershipMessage.FoundingMessage;
import dev.isogrid.cluster.MembershipMessage.Proposal;
import dev.isogrid.cluster.MembershipMessage.Recollection;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Origin;
import dev.isogrid.topology.Planner;
import dev.isogrid.topology.Topology;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RevivingTest {
  private static final long STEP_NANOS = 50_000_000;
  private static final int STEPS = 100;
  private static final Origin ORIGIN = new Origin(1, 2, 1, 0);

  private record Sent(NodeId from, NodeId to, FoundingMessage message) {}

  private final Map<NodeId, Reviving> nodes = new LinkedHashMap<>();
  private final Map<NodeId, Topology> founded = new LinkedHashMap<>();
  private final ArrayDeque<Sent> sent = new ArrayDeque<>();
  private long now;

  private static NodeId old(int number) {
    return new NodeId(0, number);
  }

  private static NodeId process(int number) {
    return new NodeId(0, 100 + number);
  }

  private static MemberProfile profile(int number) {
    return new MemberProfile("n" + number, 1, "", "", "seat" + number);
  }

  private static Topology topology(Origin origin, int... members) {
    return Planner.first(
            java.util.stream.IntStream.of(members)
                .mapToObj(number -> new Member(old(number), 1, profile(number)))
                .toList(),
            List.of())
        .of(origin);
  }

  private static Memory memory(int self, Topology topology) {
    return new Memory(old(self), topology, Ballot.NONE, null);
  }

  private void start(int process, Memory memory, boolean isForced) {
    start(process, memory, new FoundingRules(0, 0, -1, isForced, STEP_NANOS, STEP_NANOS));
  }

  private void startForced(int process, Memory memory, int lookSteps) {
    long lookNanos = lookSteps * STEP_NANOS;
    start(
        process,
        memory,
        new FoundingRules(0, 0, -1, true, STEP_NANOS, lookNanos, List.of(), STEP_NANOS));
  }

  private void start(int process, Memory memory, FoundingRules rules) {
    NodeId id = process(process);
    nodes.put(
        id,
        new Reviving(
            id,
            profile(process),
            new Recollection(memory, Map.of()),
            rules,
            _ -> true,
            (to, message) -> sent.add(new Sent(id, to, (FoundingMessage) message))));
  }

  private void start(int process, Memory memory) {
    start(process, memory, false);
  }

  private void run() {
    run(STEPS);
  }

  private void run(int steps) {
    for (int step = 0; step < steps; step++) {
      now += STEP_NANOS;
      nodes.forEach((id, node) -> {
        node.onDiscovered(List.copyOf(nodes.keySet()));
        Topology revived = node.tick(now);
        if (revived != null) {
          founded.put(id, revived);
        }
      });
      while (!sent.isEmpty()) {
        Sent next = sent.remove();
        Reviving to = nodes.get(next.to());
        if (to != null) {
          to.onMessage(next.from(), next.message());
        }
      }
    }
  }

  @Test
  void nodes_onceAllVotersAreThere_comeBackByTheFirstOfThem() {
    Topology three = topology(ORIGIN, 1, 2, 3);
    start(2, memory(2, three));
    start(3, memory(3, three));
    run();
    assertEquals(Map.of(), founded);
    String obstacle = requireNonNull(nodes.get(process(2))).obstacle(now);
    assertTrue(obstacle.contains("n1 at seat1"), obstacle);
    start(1, memory(1, three));
    run();
    assertEquals(Set.of(process(1)), founded.keySet());
    assertEquals(2, requireNonNull(founded.get(process(1))).epoch());
  }

  @Test
  void nodes_whereOneAcceptedWhatCameNext_goOnBehindIt() {
    Topology three = topology(ORIGIN, 1, 2, 3);
    Topology next = three.unchanged();
    Ballot ballot = new Ballot(4, old(2));
    start(1, memory(1, three));
    start(2, new Memory(old(2), three, ballot, new Proposal(next, Set.of())));
    start(3, memory(3, three));
    run();
    assertEquals(next.epoch() + 1, requireNonNull(founded.get(process(1))).epoch());
  }

  @Test
  void nodes_whereOneKnowsMore_goByThat() {
    Topology three = topology(ORIGIN, 1, 2, 3);
    Topology later =
        new Topology(
                5,
                List.of(requireNonNull(three.member(old(3)))),
                List.of(old(3)),
                List.of(),
                List.of(),
                List.of(),
                0)
            .of(ORIGIN);
    start(1, memory(1, three));
    start(2, memory(2, three));
    run();
    assertEquals(Map.of(), founded);
    start(3, memory(3, later));
    run();
    assertEquals(Set.of(process(3)), founded.keySet());
  }

  /** The topology with which two nodes come back, by the process of the first one. */
  private Topology revivedOfTwo() {
    Topology two = topology(ORIGIN, 1, 2);
    start(1, memory(1, two).startedAs(process(1)));
    start(2, memory(2, two).startedAs(process(2)));
    run();
    return requireNonNull(founded.get(process(1)));
  }

  @Test
  void nodes_whoseFounderEndedBeforeAnyOtherKnew_comeBack() {
    Topology revived = revivedOfTwo();
    nodes.clear();
    founded.clear();
    Memory second = memory(2, topology(ORIGIN, 1, 2)).startedAs(process(2));
    start(11, new Memory(process(1), revived, Ballot.NONE, null).startedAs(process(11)));
    start(12, second.startedAs(process(12)));
    run();
    Topology again = requireNonNull(founded.get(process(11)));
    assertEquals(revived.epoch() + 1, again.epoch());
    assertEquals(Set.of(process(11)), founded.keySet());
    assertEquals(2, again.members().size());
  }

  @Test
  void node_thatNeverLearnedOfItsFounder_comesBackWithTheNextOne() {
    Topology revived = revivedOfTwo();
    nodes.remove(process(1));
    founded.clear();
    start(11, new Memory(process(1), revived, Ballot.NONE, null).startedAs(process(11)));
    run();
    Topology again = requireNonNull(founded.get(process(11)));
    assertNotNull(again.member(process(2)));
  }

  @Test
  void memory_ofManyStarts_hasTheLatestNames_andThoseThatAreNeeded() {
    Topology two = topology(ORIGIN, 1, 2);
    Memory memory = new Memory(old(9), List.of(old(1)), two, Ballot.NONE, null);
    for (int start = 0; start < 1000; start++) {
      memory = memory.startedAs(process(start));
    }
    assertEquals(old(9), memory.self());
    assertEquals(process(999), memory.former().getFirst());
    assertTrue(memory.former().contains(old(1)));
    assertTrue(memory.former().size() < 100, "names: " + memory.former().size());
  }

  @Test
  void heirOfTwo_isNeededToo() {
    Topology two = topology(ORIGIN, 1, 2);
    start(1, memory(1, two));
    run();
    assertEquals(Map.of(), founded);
    start(2, memory(2, two));
    run();
    assertEquals(Set.of(process(1)), founded.keySet());
  }

  @Test
  void nodesOfOneFormerNode_countForNothing() {
    Topology one = topology(ORIGIN, 1);
    start(1, memory(1, one));
    start(2, memory(1, one));
    run();
    assertEquals(Map.of(), founded);
  }

  @Test
  void nodeOfAnotherCluster_isAConflict() {
    start(1, memory(1, topology(ORIGIN, 1, 3)));
    start(2, memory(2, topology(new Origin(7, 7, 1, 0), 2, 3)));
    run();
    assertEquals(Map.of(), founded);
    assertNotNull(requireNonNull(nodes.get(process(1))).conflict());
  }

  @Test
  void forced_foundsWithWhoIsThere() {
    Topology three = topology(ORIGIN, 1, 2, 3);
    start(2, memory(2, three), true);
    start(3, memory(3, three));
    run();
    Topology revived = requireNonNull(founded.get(process(2)));
    assertEquals(2, revived.members().size());
    assertEquals(Set.of(process(2)), founded.keySet());
  }

  @Test
  void forced_whileSomeAreMissing_waitsForThoseThatCome() {
    Topology four = topology(ORIGIN, 1, 2, 3, 4);
    startForced(2, memory(2, four), 40);
    run(30);
    start(3, memory(3, four));
    run(30);
    assertEquals(Map.of(), founded);
    String obstacle = requireNonNull(nodes.get(process(2))).obstacle(now);
    assertTrue(obstacle.contains("n1 at seat1"), obstacle);
    assertTrue(obstacle.contains("no other has come for 2,000 ms"), obstacle);
    start(4, memory(4, four));
    run();
    assertEquals(Set.of(process(2)), founded.keySet());
    assertEquals(3, requireNonNull(founded.get(process(2))).members().size());
  }

  @Test
  void forced_whereAllAreThere_leavesItToTheFirst() {
    Topology two = topology(ORIGIN, 1, 2);
    startForced(2, memory(2, two), STEPS);
    start(1, memory(1, two));
    run(STEPS / 2);
    assertEquals(Set.of(process(1)), founded.keySet());
  }

  /** The same cluster with a process of the test. */
  private static Topology with(Topology topology, int process) {
    List<Member> members = new ArrayList<>(topology.members());
    members.add(new Member(process(process), topology.epoch(), profile(process)));
    return new Topology(
        topology.epoch(),
        members,
        topology.voters(),
        topology.groups(),
        topology.segments(),
        topology.caches(),
        topology.lastCacheId(),
        topology.pauses(),
        topology.origin());
  }

  @Test
  void isIn_onlyAClusterThatHasThisNodeAndIsAsNewAsWhatIsRemembered() {
    Topology three = topology(ORIGIN, 1, 2, 3);
    start(2, memory(2, three.unchanged()));
    Reviving node = requireNonNull(nodes.get(process(2)));
    assertFalse(node.isIn(old(1), with(three, 2), now));
    assertFalse(node.isIn(old(1), three.unchanged(), now));
    assertTrue(node.isIn(old(1), with(three.unchanged(), 2), now));
    assertTrue(node.isIn(old(1), with(three.of(new Origin(1, 2, 9, 0)), 2), now));
    assertNull(node.conflict());
    assertFalse(node.isIn(old(1), with(three.of(new Origin(5, 5, 1, 0)), 2), now));
    assertNotNull(node.conflict());
  }

  @Test
  void nodes_whoseClusterDiesBeforeTheyAreIn_comeBack() {
    Topology three = topology(ORIGIN, 1, 2, 3);
    start(2, memory(2, three));
    start(3, memory(3, three));
    for (int i = 0; i < STEPS; i++) {
      nodes.values().forEach(node -> node.isIn(old(1), three.unchanged(), now));
      run(1);
    }
    assertEquals(Map.of(), founded);
    String obstacle = requireNonNull(nodes.get(process(2))).obstacle(now);
    assertTrue(obstacle.contains("asks to be let in"), obstacle);
    start(1, memory(1, three.unchanged()));
    run();
    assertEquals(Set.of(process(1)), founded.keySet());
    assertEquals(3, requireNonNull(founded.get(process(1))).epoch());
  }

  @Test
  void forced_besideALivingCluster_doesNotFound() {
    Topology three = topology(ORIGIN, 1, 2, 3);
    startForced(2, memory(2, three), 5);
    for (int i = 0; i < STEPS; i++) {
      requireNonNull(nodes.get(process(2))).isIn(old(1), three.unchanged(), now);
      run(1);
    }
    assertEquals(Map.of(), founded);
    // A node that is no member does not know whether members are alive.
    for (int i = 0; i < STEPS; i++) {
      requireNonNull(nodes.get(process(2))).isIn(process(9), three.unchanged(), now);
      run(1);
    }
    assertEquals(Set.of(process(2)), founded.keySet());
  }
}
