package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.GonePolicy;
import dev.isogrid.codec.ByteString;
import dev.isogrid.topology.CacheRequest;
import dev.isogrid.topology.NodeId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Two or three members when one of them is gone or silent. */
class TwoMembersTest {
  private static final NodeId OLDER = new NodeId(0, 1);
  private static final NodeId YOUNGER = new NodeId(0, 2);
  private static final NodeId THIRD = new NodeId(0, 3);
  private static final int SEGMENTS = 8;
  private static final long TARGET_MILLIS = 300;
  private static final ByteString KEY = RealCluster.bytes("key");

  private final SteppedNodes nodes = new SteppedNodes(SEGMENTS);

  private ClusterNode node(NodeId id) {
    return nodes.node(id);
  }

  private void put(NodeId at, int segment) {
    nodes.put(at, segment, KEY);
  }

  @Test
  void older_whenTheYoungerIsGone_goesOnAtOnce() {
    nodes.start(GonePolicy.OF_TWO, OLDER, YOUNGER);
    nodes.nodes.remove(YOUNGER);
    node(OLDER).gone(Map.of(YOUNGER, nodes.now()));
    assertTrue(nodes.untilAllServedBy(Set.of(OLDER)) < TARGET_MILLIS);
  }

  @Test
  void younger_whenTheOlderIsGone_takesOverAtOnce() {
    nodes.start(GonePolicy.OF_TWO, OLDER, YOUNGER);
    put(OLDER, 0);
    put(YOUNGER, 1);
    nodes.run(20);
    nodes.nodes.remove(OLDER);
    node(YOUNGER).gone(Map.of(OLDER, nodes.now()));
    assertTrue(nodes.untilAllServedBy(Set.of(YOUNGER)) < TARGET_MILLIS);
    put(YOUNGER, 0);
    nodes.run(20);
    Outcome stored = new Outcome(Outcome.Kind.DONE, null);
    Outcome replaced = new Outcome(Outcome.Kind.DONE, KEY);
    assertEquals(List.of(stored, stored, replaced), nodes.outcomes);
    assertNull(node(YOUNGER).obstacle(nodes.now()));
    assertEquals(List.of(YOUNGER), requireNonNull(node(YOUNGER).topology()).voters());
  }

  @Test
  void younger_whenTheOlderIsSilent_refusesAndSaysWhy() {
    nodes.start(GonePolicy.OF_TWO, OLDER, YOUNGER);
    nodes.cutOff.add(OLDER);
    nodes.run(3000);
    assertEquals(0, nodes.servedBy(Set.of(YOUNGER)));
    assertEquals(SEGMENTS, nodes.servedBy(Set.of(OLDER)));
    assertEquals(
        "the older of two nodes is silent, and may be serving: node=2, other=1; this one goes on"
            + " when it hears of it; a third node, of capacity 0 if need be, avoids this",
        node(YOUNGER).obstacle(nodes.now()));
    put(YOUNGER, 0);
    nodes.run(3000);
    assertEquals(List.of(new Outcome(Outcome.Kind.INDETERMINATE, null)), nodes.outcomes);
    nodes.cutOff.clear();
    nodes.run(3000);
    assertNull(node(YOUNGER).obstacle(nodes.now()));
    assertEquals(SEGMENTS, nodes.servedBy(Set.of(OLDER, YOUNGER)));
  }

  @Test
  void younger_whenTheOlderWentOnAloneAndIsGone_refusesAndSaysWhy() {
    nodes.start(GonePolicy.OF_TWO, OLDER, YOUNGER);
    nodes.cutOff.add(OLDER);
    nodes.run(3000);
    nodes.nodes.remove(OLDER);
    node(YOUNGER).gone(Map.of(OLDER, nodes.now()));
    nodes.run(3000);
    assertEquals(0, nodes.servedBy(Set.of(YOUNGER)));
    assertEquals(
        "the other of two nodes is gone, and may have gone on without this one before: node=2,"
            + " other=1; what it wrote then is lost: recover the majority to go on",
        node(YOUNGER).obstacle(nodes.now()));
  }

  @Test
  void younger_whenTheOlderIsHeardAfterARefusal_doesNotTakeOverLater() {
    nodes.start(GonePolicy.OF_TWO, OLDER, YOUNGER, THIRD);
    node(YOUNGER).gone(Map.of(OLDER, nodes.now()));
    nodes.run(100);
    assertTrue(node(YOUNGER).onArrival(OLDER, nodes.now()));
    assertFalse(node(YOUNGER).onArrival(OLDER, nodes.now()));
    nodes.nodes.remove(THIRD);
    nodes.run(5000);
    assertEquals(List.of(OLDER), requireNonNull(node(YOUNGER).topology()).voters());
    nodes.cutOff.add(OLDER);
    nodes.run(3000);
    assertEquals(0, nodes.servedBy(Set.of(YOUNGER)));
  }

  @Test
  void younger_whenItIsToIgnoreWhatIsGone_waits() {
    nodes.start(GonePolicy.IGNORED, OLDER, YOUNGER);
    nodes.nodes.remove(OLDER);
    node(YOUNGER).gone(Map.of(OLDER, nodes.now()));
    nodes.run(3000);
    assertEquals(0, nodes.servedBy(Set.of(YOUNGER)));
  }

  @Test
  void three_whenOneIsGone_waitForItsLeaseUnlessTheyAreToldNotTo() {
    nodes.start(GonePolicy.OF_TWO, OLDER, YOUNGER, THIRD);
    long usual = untilServedWithout(OLDER);
    nodes.nodes.clear();
    nodes.start(GonePolicy.ALWAYS, OLDER, YOUNGER, THIRD);
    long shortened = untilServedWithout(OLDER);
    assertTrue(usual > TARGET_MILLIS && usual < 1200, "usual: " + usual);
    assertTrue(shortened < TARGET_MILLIS, "shortened: " + shortened);
  }

  private long untilServedWithout(NodeId dead) {
    nodes.nodes.remove(dead);
    nodes.nodes.values().forEach(node -> node.gone(Map.of(dead, nodes.now())));
    return nodes.untilAllServedBy(nodes.nodes.keySet());
  }

  @Test
  void two_whileCachesComeAndGo_keepTheirLeases() {
    nodes.start(GonePolicy.OF_TWO, OLDER, YOUNGER);
    for (int i = 0; i < 20; i++) {
      assertTrue(node(YOUNGER).tryDefine(new CacheRequest("cache" + i, 1 + i % 3, 4, 1, "")));
      for (int step = 0; step < 20; step++) {
        nodes.run(SteppedNodes.STEP_MILLIS);
        assertEquals(SEGMENTS, nodes.servedBy(nodes.nodes.keySet()));
      }
    }
    assertEquals(21, requireNonNull(node(OLDER).topology()).caches().size());
    assertFalse(requireNonNull(node(OLDER).topology()).voters().contains(YOUNGER));
  }
}
