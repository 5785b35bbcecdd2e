package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.ClusterTimes;
import dev.isogrid.cluster.MembershipMessage.Fetch;
import dev.isogrid.cluster.MembershipMessage.Learn;
import dev.isogrid.cluster.Message;
import dev.isogrid.topology.CacheRequest;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Origin;
import dev.isogrid.topology.Planner;
import dev.isogrid.topology.Topology;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Two clusters of one name that reach each other. */
class TwoClustersTest {
  private static final NodeId A = new NodeId(0, 1);
  private static final NodeId B = new NodeId(0, 2);
  private static final long MILLI = 1_000_000;
  private static final long STEP = 5 * MILLI;
  private static final int SECONDS = 5;

  private record Sent(NodeId from, Message message) {}

  private final ArrayDeque<Sent> sent = new ArrayDeque<>();
  private long now;
  private int learns;

  private ClusterNode found(NodeId id, long identity) {
    ClusterNode node =
        new ClusterNode(
            id,
            new ClusterNodeConfig(ClusterTimes.usual(), ReplicaLimits.usual(), 100),
            (_, message) -> sent.add(new Sent(id, message)),
            _ -> new TestEntries(),
            (_, _, _) -> {},
            (_, _) -> {},
            new SplittableRandom(identity));
    List<Member> members = List.of(new Member(id, 1, MemberProfile.ofCapacity(1)));
    node.found(Planner.first(members, List.of()).of(Origin.founded(identity, identity)), now);
    return node;
  }

  private void run(ClusterNode one, ClusterNode other) {
    for (long end = now + SECONDS * 1000 * MILLI; now < end; now += STEP) {
      one.tick(now);
      other.tick(now);
      while (!sent.isEmpty()) {
        Sent next = sent.remove();
        learns += next.message() instanceof Learn ? 1 : 0;
        ClusterNode to = deliversToItself(next) == next.from().equals(one.self()) ? one : other;
        to.onMessage(next.from(), next.message(), now);
      }
    }
  }

  /** All but what is about the other cluster stays within a cluster of one node. */
  private static boolean deliversToItself(Sent each) {
    boolean isNews = each.message() instanceof Learn || each.message() instanceof Fetch;
    return !isNews;
  }

  private void checkNoticed(ClusterNode one, ClusterNode other) {
    one.discovered(List.of(B));
    other.discovered(List.of(A));
    learns = 0;
    Topology before = Objects.requireNonNull(one.topology());
    run(one, other);
    assertTrue(one.foreignTopologies() > 0);
    assertTrue(other.foreignTopologies() > 0);
    assertTrue(learns <= 4 * SECONDS, "topologies sent: " + learns);
    assertEquals(before, one.topology());
  }

  @Test
  void clusters_ofOneEpoch_noticeEachOther() {
    checkNoticed(found(A, 1), found(B, 2));
  }

  @Test
  void clusters_ofDifferentEpochs_noticeEachOther() {
    ClusterNode one = found(A, 1);
    ClusterNode other = found(B, 2);
    assertTrue(other.tryDefine(new CacheRequest("cache", 1, 4, 1, "")));
    run(one, other);
    assertTrue(Objects.requireNonNull(other.topology()).epoch() > 1);
    checkNoticed(one, other);
  }
}
