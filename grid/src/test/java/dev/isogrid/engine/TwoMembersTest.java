package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.ClusterTimes;
import dev.isogrid.cluster.GonePolicy;
import dev.isogrid.cluster.Message;
import dev.isogrid.codec.ByteString;
import dev.isogrid.topology.CacheRequest;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Planner;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What becomes of two members, or three, when one of them is gone or silent. */
class TwoMembersTest {
  private static final NodeId OLDER = new NodeId(0, 1);
  private static final NodeId YOUNGER = new NodeId(0, 2);
  private static final NodeId THIRD = new NodeId(0, 3);
  private static final int SEGMENTS = 8;
  private static final long MILLI = 1_000_000;
  private static final long STEP_MILLIS = 5;
  private static final long TARGET_MILLIS = 300;
  private static final ByteString KEY = RealCluster.bytes("key");

  private record Sent(NodeId from, NodeId to, Message message) {}

  private final Map<NodeId, ClusterNode> nodes = new LinkedHashMap<>();
  private final Set<NodeId> cutOff = new HashSet<>();
  private final ArrayDeque<Sent> sent = new ArrayDeque<>();
  private final List<Outcome> outcomes = new ArrayList<>();
  private long now;

  private void start(GonePolicy policy, NodeId... ids) {
    List<Member> members = new ArrayList<>();
    MemberProfile profile = MemberProfile.ofCapacity(1);
    for (NodeId id : ids) {
      ClusterNode node =
          new ClusterNode(
              id,
              new ClusterNodeConfig(ClusterTimes.usual(policy), ReplicaLimits.usual(), 100),
              (to, message) -> sent.add(new Sent(id, to, message)),
              _ -> new TestEntries(),
              (_, _, _) -> {},
              (_, _) -> {},
              new SplittableRandom(id.low()));
      node.updateProfile(profile);
      assertTrue(node.tryDefine(new CacheRequest("cache", 2, SEGMENTS, 1, "")));
      nodes.put(id, node);
      members.add(new Member(id, 1, profile));
    }
    nodes.values().forEach(node -> node.found(Planner.first(members, List.of()), now));
    run(1000);
    assertEquals(SEGMENTS, servedBy(nodes.keySet()));
  }

  private ClusterNode node(NodeId id) {
    return requireNonNull(nodes.get(id));
  }

  private void run(long millis) {
    for (long end = now + millis * MILLI; now < end; now += STEP_MILLIS * MILLI) {
      nodes.values().forEach(node -> node.tick(now));
      while (!sent.isEmpty()) {
        Sent next = sent.remove();
        ClusterNode to = nodes.get(next.to);
        boolean isCut = cutOff.contains(next.from) || cutOff.contains(next.to);
        if (to != null && (!isCut || next.from.equals(next.to))) {
          to.onMessage(next.from, next.message, now);
        }
      }
    }
  }

  private int servedBy(Set<NodeId> ids) {
    int served = 0;
    for (int segment = 0; segment < SEGMENTS; segment++) {
      for (NodeId id : ids) {
        served += node(id).isServing(segment, now) ? 1 : 0;
      }
    }
    return served;
  }

  /** Runs until a node serves everything; returns the milliseconds that took. */
  private long untilAllServedBy(NodeId id) {
    long start = now;
    while (servedBy(Set.of(id)) < SEGMENTS) {
      run(STEP_MILLIS);
      assertTrue(now - start < 10_000 * MILLI, "not served");
    }
    return (now - start) / MILLI;
  }

  private void put(NodeId at, int segment) {
    assertTrue(
        node(at)
            .tryInvoke(TestCommand.put(KEY, KEY), segment, now + 2000 * MILLI, outcomes::add, now));
  }

  @Test
  void older_whenTheYoungerIsGone_goesOnAtOnce() {
    start(GonePolicy.OF_TWO, OLDER, YOUNGER);
    nodes.remove(YOUNGER);
    node(OLDER).gone(List.of(YOUNGER));
    assertTrue(untilAllServedBy(OLDER) < TARGET_MILLIS);
  }

  @Test
  void younger_whenTheOlderIsGone_takesOverAtOnce() {
    start(GonePolicy.OF_TWO, OLDER, YOUNGER);
    put(OLDER, 0);
    put(YOUNGER, 1);
    run(20);
    nodes.remove(OLDER);
    node(YOUNGER).gone(List.of(OLDER));
    assertTrue(untilAllServedBy(YOUNGER) < TARGET_MILLIS);
    put(YOUNGER, 0);
    run(20);
    Outcome stored = new Outcome(Outcome.Kind.DONE, null);
    Outcome replaced = new Outcome(Outcome.Kind.DONE, KEY);
    assertEquals(List.of(stored, stored, replaced), outcomes);
    assertNull(node(YOUNGER).obstacle(now));
    assertEquals(List.of(YOUNGER), requireNonNull(node(YOUNGER).topology()).voters());
  }

  @Test
  void younger_whenTheOlderIsSilent_refusesAndSaysWhy() {
    start(GonePolicy.OF_TWO, OLDER, YOUNGER);
    cutOff.add(OLDER);
    run(3000);
    assertEquals(0, servedBy(Set.of(YOUNGER)));
    assertEquals(SEGMENTS, servedBy(Set.of(OLDER)));
    assertEquals(
        "the older of two nodes is silent, and may be serving: node=2, other=1; this one goes on"
            + " when it hears of it; a third node, of capacity 0 if need be, avoids this",
        node(YOUNGER).obstacle(now));
    put(YOUNGER, 0);
    run(3000);
    assertEquals(List.of(new Outcome(Outcome.Kind.INDETERMINATE, null)), outcomes);
    cutOff.clear();
    run(3000);
    assertNull(node(YOUNGER).obstacle(now));
    assertEquals(SEGMENTS, servedBy(Set.of(OLDER, YOUNGER)));
  }

  @Test
  void younger_whenTheOlderWentOnAloneAndIsGone_refusesAndSaysWhy() {
    start(GonePolicy.OF_TWO, OLDER, YOUNGER);
    cutOff.add(OLDER);
    run(3000);
    nodes.remove(OLDER);
    node(YOUNGER).gone(List.of(OLDER));
    run(3000);
    assertEquals(0, servedBy(Set.of(YOUNGER)));
    assertEquals(
        "the other of two nodes is gone, and may have gone on without this one before: node=2,"
            + " other=1; what it wrote then is lost: start the cluster anew",
        node(YOUNGER).obstacle(now));
  }

  @Test
  void younger_whenItIsToIgnoreWhatIsGone_waits() {
    start(GonePolicy.IGNORED, OLDER, YOUNGER);
    nodes.remove(OLDER);
    node(YOUNGER).gone(List.of(OLDER));
    run(3000);
    assertEquals(0, servedBy(Set.of(YOUNGER)));
  }

  @Test
  void three_whenOneIsGone_waitForItsLeaseUnlessTheyAreToldNotTo() {
    start(GonePolicy.OF_TWO, OLDER, YOUNGER, THIRD);
    long usual = untilServedWithout(OLDER);
    nodes.clear();
    start(GonePolicy.ALWAYS, OLDER, YOUNGER, THIRD);
    long shortened = untilServedWithout(OLDER);
    assertTrue(usual > TARGET_MILLIS && usual < 1200, "usual: " + usual);
    assertTrue(shortened < TARGET_MILLIS, "shortened: " + shortened);
  }

  private long untilServedWithout(NodeId dead) {
    nodes.remove(dead);
    nodes.values().forEach(node -> node.gone(List.of(dead)));
    long start = now;
    while (servedBy(nodes.keySet()) < SEGMENTS) {
      run(STEP_MILLIS);
      assertTrue(now - start < 10_000 * MILLI, "not served");
    }
    return (now - start) / MILLI;
  }

  @Test
  void two_whileCachesComeAndGo_keepTheirLeases() {
    start(GonePolicy.OF_TWO, OLDER, YOUNGER);
    for (int i = 0; i < 20; i++) {
      assertTrue(node(YOUNGER).tryDefine(new CacheRequest("cache" + i, 1 + i % 3, 4, 1, "")));
      for (int step = 0; step < 20; step++) {
        run(STEP_MILLIS);
        assertEquals(SEGMENTS, servedBy(nodes.keySet()));
      }
    }
    assertEquals(21, requireNonNull(node(OLDER).topology()).caches().size());
    assertFalse(requireNonNull(node(OLDER).topology()).voters().contains(YOUNGER));
  }
}
