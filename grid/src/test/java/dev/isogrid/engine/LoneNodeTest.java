package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.ClusterTimes;
import dev.isogrid.cluster.Message;
import dev.isogrid.codec.ByteString;
import dev.isogrid.topology.CacheRequest;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Planner;
import dev.isogrid.topology.Topology;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A node that talks to itself. */
class LoneNodeTest {
  private static final NodeId SELF = new NodeId(0, 1);
  private static final int SEGMENTS = 16;
  private static final long STEP = 5_000_000;
  private static final ByteString KEY = RealCluster.bytes("key");

  private final ArrayDeque<Message> messages = new ArrayDeque<>();
  private final List<Integer> made = new ArrayList<>();
  private final List<Topology> told = new ArrayList<>();
  private final List<Outcome> outcomes = new ArrayList<>();
  private final ClusterNode node =
      new ClusterNode(
          SELF,
          new ClusterNodeConfig(ClusterTimes.usual(), ReplicaLimits.usual(), 10),
          (_, message) -> messages.add(message),
          segment -> {
            assertTrue(segment < told.getLast().segments().size());
            made.add(segment);
            return new TestEntries();
          },
          (_, _, _) -> {},
          (before, now) -> {
            assertEquals(told.isEmpty() ? null : told.getLast(), before);
            told.add(now);
          },
          new SplittableRandom(1));
  private long now;

  private void run(int steps) {
    for (int i = 0; i < steps; i++) {
      now += STEP;
      node.tick(now);
      while (!messages.isEmpty()) {
        node.onMessage(SELF, messages.remove(), now);
      }
    }
  }

  private void found() {
    MemberProfile profile = MemberProfile.ofCapacity(1);
    node.updateProfile(profile);
    node.found(Planner.first(List.of(new Member(SELF, 1, profile)), List.of()), now);
  }

  private void invoke(Command command, int segment) {
    assertTrue(node.tryInvoke(command, segment, now + 1000 * STEP, outcomes::add, now));
  }

  @Test
  void tick_whenNothingIsToBeDone_wakesNoReplica() {
    found();
    assertTrue(node.tryDefine(new CacheRequest("cache", 1, SEGMENTS, 1, "")));
    run(100);
    assertEquals(SEGMENTS, made.size());
    assertEquals(0, node.awakeCount());
    invoke(TestCommand.put(KEY, KEY), 3);
    node.onMessage(SELF, messages.remove(), now);
    assertEquals(1, node.awakeCount());
    run(100);
    assertEquals(0, node.awakeCount());
  }

  @Test
  void tryInvoke_ofSegmentThatComesLater_waitsForIt() {
    found();
    invoke(TestCommand.put(KEY, KEY), 3);
    invoke(TestCommand.get(KEY), SEGMENTS);
    run(100);
    assertEquals(List.of(), outcomes);
    assertTrue(node.tryDefine(new CacheRequest("cache", 1, SEGMENTS, 1, "")));
    run(100);
    assertEquals(List.of(new Outcome(Outcome.Kind.DONE, null)), outcomes);
    run(1000);
    assertEquals(new Outcome(Outcome.Kind.FAILED, null), outcomes.getLast());
    assertThrows(
        IllegalArgumentException.class,
        () -> node.tryInvoke(TestCommand.get(KEY), -1, now, outcomes::add, now));
  }

  @Test
  void forget_beforeThereIsACluster_endsTheAsking() {
    assertTrue(node.tryDefine(new CacheRequest("a", 1, SEGMENTS, 1, "")));
    assertTrue(node.tryDefine(new CacheRequest("b", 1, SEGMENTS, 1, "")));
    node.forget("a");
    found();
    run(100);
    Topology topology = requireNonNull(node.topology());
    assertNull(topology.cache("a"));
    assertEquals(1, requireNonNull(topology.cache("b")).id());
  }

  @Test
  void tryDefine_ofTooMany_isRefused() {
    int count = 0;
    while (node.tryDefine(new CacheRequest("cache" + count, 1, 1, 1, ""))) {
      count++;
    }
    assertEquals(2 * Topology.CACHES_MAX, count);
    assertTrue(node.tryDefine(new CacheRequest("cache0", 2, 2, 2, "")));
  }
}
