package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.Ballot;
import dev.isogrid.cluster.ClusterTimes;
import dev.isogrid.cluster.MembershipMessage.Accept;
import dev.isogrid.cluster.MembershipMessage.Learn;
import dev.isogrid.cluster.MembershipMessage.Proposal;
import dev.isogrid.cluster.Memory;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Planner;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class RememberingTest {
  private static final NodeId SELF = new NodeId(0, 1);
  private static final NodeId OTHER = new NodeId(0, 2);

  private final List<Memory> kept = new ArrayList<>();
  private Predicate<Topology> concerns = _ -> true;
  private final ClusterNode node =
      new ClusterNode(
          SELF,
          new ClusterNodeConfig(ClusterTimes.usual(), ReplicaLimits.usual(), 10),
          (_, _) -> {},
          _ -> new TestEntries(),
          (_, _, _) -> {},
          (_, _) -> {},
          new SplittableRandom(1));
  private final Remembering remembering =
      new Remembering(
          new ClusterMemory() {
            @Override
            public boolean isKept(CacheDefinition cache) {
              return true;
            }

            @Override
            public boolean concerns(Topology topology) {
              return concerns.test(topology);
            }

            @Override
            public void keep(Memory memory, Runnable whenKept) {
              kept.add(memory);
            }
          },
          _ -> {});

  private void learn(NodeId... members) {
    List<Member> all = new ArrayList<>();
    for (NodeId member : members) {
      all.add(new Member(member, 1, MemberProfile.ofCapacity(1)));
    }
    Topology topology = Planner.first(all, List.of());
    node.onMessage(OTHER, new Learn(topology), 1);
    remembering.update(node, (_, _) -> {});
  }

  @Test
  void update_beforeTheNodeIsLetIn_keepsWhatItWasBefore() {
    learn(OTHER);
    assertEquals(List.of(), kept);
  }

  @Test
  void acceptance_ofTheFirstCacheOnDisks_isConcerned() {
    concerns = topology -> !topology.caches().isEmpty();
    learn(SELF, OTHER);
    assertEquals(List.of(), kept);
    assertFalse(remembering.isConcerned(node));

    Topology known = requireNonNull(node.topology());
    Topology next =
        new Topology(
            known.epoch() + 1,
            known.members(),
            known.voters(),
            List.of(new CacheGroup(1, 1, false, true)),
            List.of(new SegmentOwners(known.epoch() + 1, SELF, List.of(SELF), List.of())),
            List.of(new CacheDefinition(1, "kept", 0, 5, "")),
            1);
    Proposal proposal = new Proposal(next, Set.of());
    Ballot ballot = new Ballot(1, OTHER);
    node.onMessage(OTHER, new Accept(known.epoch(), ballot, proposal, true, Set.of(), Set.of()), 2);
    assertEquals(proposal, requireNonNull(node.memory()).accepted());
    assertTrue(remembering.isConcerned(node));
    remembering.update(node, (_, _) -> {});
    assertEquals(List.of(proposal), kept.stream().map(Memory::accepted).toList());
  }

  @Test
  void update_ofAMember_keepsWhatItKnows() {
    learn(SELF, OTHER);
    assertEquals(List.of(SELF), kept.stream().map(Memory::self).toList());
  }
}
