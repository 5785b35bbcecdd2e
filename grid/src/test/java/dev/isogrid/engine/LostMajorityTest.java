package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.GonePolicy;
import dev.isogrid.topology.Link;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Two of three voters die: when the third one goes on, and when it must not. */
class LostMajorityTest {
  private static final NodeId LEFT = new NodeId(0, 1);
  private static final NodeId ONE = new NodeId(0, 2);
  private static final NodeId OTHER = new NodeId(0, 3);
  private static final NodeId NEW_ONE = new NodeId(0, 4);
  private static final NodeId NEW_OTHER = new NodeId(0, 5);
  private static final int SEGMENTS = 8;
  private static final long LONG_MILLIS = 5000;

  private final SteppedNodes nodes = new SteppedNodes(SEGMENTS);

  private void start(GonePolicy policy) {
    nodes.start(policy, LEFT, ONE, OTHER);
    assertEquals(3, topology().voters().size());
  }

  private void kill() {
    nodes.nodes.remove(ONE);
    nodes.nodes.remove(OTHER);
  }

  private void notice() {
    nodes.node(LEFT).gone(Map.of(ONE, nodes.now(), OTHER, nodes.now()));
  }

  private Topology topology() {
    return requireNonNull(nodes.node(LEFT).topology());
  }

  @Test
  void survivor_whenBothSeatsAreTakenAgain_goesOnWithWhatItHas() {
    start(GonePolicy.OF_TWO);
    Topology before = topology();
    kill();
    notice();
    nodes.run(2000);
    nodes.join(GonePolicy.OF_TWO, NEW_ONE, "seat" + ONE);
    nodes.join(GonePolicy.OF_TWO, NEW_OTHER, "seat" + OTHER);
    nodes.run(LONG_MILLIS);
    assertNull(nodes.node(LEFT).obstacle(nodes.now()));
    assertNull(nodes.node(NEW_OTHER).obstacle(nodes.now()));
    assertEquals(3, topology().voters().size());
    for (int i = 0; i < SEGMENTS; i++) {
      SegmentOwners owners = topology().segments().get(i);
      boolean isHeld = before.segments().get(i).isr().contains(LEFT);
      assertEquals(!isHeld, owners.isOffline(), "segment=" + i + ", owners=" + owners);
    }
  }

  @Test
  void survivor_whenOneSeatIsTaken_doesNotGoOn() {
    start(GonePolicy.OF_TWO);
    kill();
    notice();
    nodes.run(2000);
    nodes.join(GonePolicy.OF_TWO, NEW_ONE, "seat" + ONE);
    nodes.join(GonePolicy.OF_TWO, NEW_OTHER, "another seat");
    checkDoesNotGoOn();
  }

  @Test
  void survivor_thatLearnsOfTheDeathsWithoutALease_doesNotGoOn() {
    start(GonePolicy.OF_TWO);
    nodes.cutOff.add(LEFT);
    nodes.run(LONG_MILLIS);
    int decidedWithout = requireNonNull(nodes.node(ONE).topology()).epoch();
    assertTrue(decidedWithout > topology().epoch());
    kill();
    nodes.cutOff.clear();
    notice();
    nodes.run(2000);
    nodes.join(GonePolicy.OF_TWO, NEW_ONE, "seat" + ONE);
    nodes.join(GonePolicy.OF_TWO, NEW_OTHER, "seat" + OTHER);
    checkDoesNotGoOn();
  }

  private void joinBothSeats() {
    nodes.join(GonePolicy.OF_TWO, NEW_ONE, "seat" + ONE);
    nodes.join(GonePolicy.OF_TWO, NEW_OTHER, "seat" + OTHER);
  }

  private void notice(NodeId node) {
    nodes.node(LEFT).gone(Map.of(node, nodes.now()));
  }

  @Test
  void survivor_thatHearsOfTheSecondDeathWithoutALease_goesOn() {
    start(GonePolicy.OF_TWO);
    kill();
    notice(ONE);
    nodes.run(2000);
    assertFalse(nodes.node(LEFT).isLeased(nodes.now()));
    notice(OTHER);
    joinBothSeats();
    nodes.run(LONG_MILLIS);
    assertNull(nodes.node(LEFT).obstacle(nodes.now()));
    assertEquals(3, topology().voters().size());
  }

  /** The first one may have counted for a decision with the second one, which came later. */
  @Test
  void survivor_whoseLeaseIsNotFromTheFirstDead_doesNotGoOn() {
    start(GonePolicy.OF_TWO);
    nodes.cutLinks.add(new Link(ONE, LEFT));
    nodes.run(850);
    assertTrue(nodes.node(LEFT).isLeased(nodes.now()));
    kill();
    notice(ONE);
    nodes.run(2000);
    notice(OTHER);
    joinBothSeats();
    checkDoesNotGoOn();
  }

  /** The second death counted because of the first one only. */
  @Test
  void survivor_whoseFirstDeadLives_doesNotGoOnWithoutTheSecond() {
    start(GonePolicy.OF_TWO);
    nodes.nodes.remove(OTHER);
    nodes.cutOff.add(LEFT);
    notice(ONE);
    nodes.run(2000);
    notice(OTHER);
    nodes.run(SteppedNodes.STEP_MILLIS);
    assertTrue(nodes.node(LEFT).knowsEndOf(Set.of(OTHER)));
    nodes.cutOff.clear();
    nodes.node(LEFT).onArrival(ONE, nodes.now());
    nodes.run(SteppedNodes.STEP_MILLIS);
    assertFalse(nodes.node(LEFT).knowsEndOf(Set.of(OTHER)));
  }

  @Test
  void survivor_thatLooksLateAtARefusalUnderItsLease_goesOn() {
    start(GonePolicy.OF_TWO);
    kill();
    long refused = nodes.now();
    nodes.run(2000);
    nodes.node(LEFT).gone(Map.of(ONE, refused, OTHER, refused));
    nodes.join(GonePolicy.OF_TWO, NEW_ONE, "seat" + ONE);
    nodes.join(GonePolicy.OF_TWO, NEW_OTHER, "seat" + OTHER);
    nodes.run(LONG_MILLIS);
    assertNull(nodes.node(LEFT).obstacle(nodes.now()));
  }

  @Test
  void newlyMissed_ofDeadNodes_hasEachOnceWhileThereIsALease() {
    start(GonePolicy.OF_TWO);
    assertEquals(Set.of(), nodes.node(LEFT).newlyMissed(nodes.now()));
    kill();
    Set<NodeId> missed = new HashSet<>();
    while (missed.size() < 2) {
      nodes.run(SteppedNodes.STEP_MILLIS);
      nodes.node(LEFT).newlyMissed(nodes.now()).forEach(node -> assertTrue(missed.add(node)));
      assertTrue(nodes.node(LEFT).isLeased(nodes.now()));
    }
    assertEquals(Set.of(ONE, OTHER), missed);
    nodes.run(LONG_MILLIS);
    assertEquals(Set.of(), nodes.node(LEFT).newlyMissed(nodes.now()));
  }

  @Test
  void survivor_whereRefusedConnectionsSayNothing_doesNotGoOn() {
    start(GonePolicy.IGNORED);
    kill();
    notice();
    nodes.run(2000);
    nodes.join(GonePolicy.IGNORED, NEW_ONE, "seat" + ONE);
    nodes.join(GonePolicy.IGNORED, NEW_OTHER, "seat" + OTHER);
    checkDoesNotGoOn();
  }

  private void checkDoesNotGoOn() {
    int epoch = topology().epoch();
    nodes.run(LONG_MILLIS);
    assertEquals(epoch, topology().epoch());
    assertNotNull(nodes.node(LEFT).obstacle(nodes.now()));
  }
}
