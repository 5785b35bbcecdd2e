package dev.isogrid.cluster;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.MembershipMessage.Heartbeat;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How long a voter waits for a member that is silent. */
class VoterTest {
  private static final long MILLI = 1_000_000;
  private static final NodeId SELF = new NodeId(0, 1);
  private static final NodeId OTHER = new NodeId(0, 2);
  private static final ClusterTimes TIMES = ClusterTimes.usual();
  private static final Topology TOPOLOGY =
      new Topology(
          1,
          Stream.of(SELF, OTHER)
              .map(node -> new Member(node, 1, MemberProfile.ofCapacity(1)))
              .toList(),
          List.of(SELF),
          List.of(),
          List.of(),
          List.of(),
          0);

  private final Voter voter =
      new Voter(SELF, TIMES, (_, _) -> {}, new GoneNodes(GonePolicy.IGNORED));
  private long nowNanos = MILLI;

  @BeforeEach
  void install() {
    voter.install(null, TOPOLOGY, nowNanos);
  }

  private void heartbeatAfter(long nanos) {
    nowNanos += nanos;
    voter.onHeartbeat(TOPOLOGY, OTHER, new Heartbeat(1, nowNanos, Set.of()), nowNanos);
  }

  private boolean isAliveAfter(long nanos) {
    return voter.isAlive(TOPOLOGY, OTHER, nowNanos + nanos);
  }

  @Test
  void silence_ofAPunctualMember_isItsEndAfterTheUsualTime() {
    for (int i = 0; i < 10; i++) {
      heartbeatAfter(TIMES.heartbeat());
    }
    assertTrue(isAliveAfter(TIMES.suspect() - 1));
    assertFalse(isAliveAfter(TIMES.suspect()));
  }

  @Test
  void silence_ofAMemberThatWasLate_isBorneForLonger() {
    heartbeatAfter(TIMES.suspect() - MILLI);
    long late = TIMES.suspect() - MILLI - 2 * TIMES.heartbeat();
    heartbeatAfter(TIMES.heartbeat());
    assertTrue(isAliveAfter(TIMES.suspect() + 2 * late - 1));
    assertFalse(isAliveAfter(TIMES.suspect() + 2 * late));
  }

  @Test
  void lateness_ofSomeTimeAgo_countsLessAndLess() {
    heartbeatAfter(TIMES.suspect() - MILLI);
    for (int i = 0; i < 400; i++) {
      heartbeatAfter(TIMES.heartbeat());
    }
    assertFalse(isAliveAfter(TIMES.suspect() + MILLI));
  }

  @Test
  void patience_afterAnyLateness_hasABound() {
    for (int i = 0; i < 10; i++) {
      heartbeatAfter(100 * TIMES.suspect());
    }
    assertTrue(isAliveAfter(3 * TIMES.suspect() - 1));
    assertFalse(isAliveAfter(3 * TIMES.suspect()));
  }
}
