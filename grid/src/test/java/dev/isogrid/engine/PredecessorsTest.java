package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.ClusterTimes;
import dev.isogrid.cluster.MembershipMessage.Learn;
import dev.isogrid.cluster.Memory;
import dev.isogrid.cluster.Message;
import dev.isogrid.engine.SegmentMessage.Append;
import dev.isogrid.engine.SegmentMessage.Chunk;
import dev.isogrid.engine.SegmentMessage.Sync;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A replica's memory of the primaries before, while its own disk may lack their last writes. */
class PredecessorsTest {
  private static final NodeId SELF = new NodeId(0, 1);
  private static final NodeId FIRST = new NodeId(0, 2);
  private static final NodeId SECOND = new NodeId(0, 3);
  private static final long STEP = 5_000_000;
  private static final long LAST_SEQ = 5;

  private final TestEntries entries = new TestEntries();
  private final ArrayDeque<Message> toSelf = new ArrayDeque<>();

  /** The nodes that this one begins to copy the segment to. */
  private final Set<NodeId> copied = new HashSet<>();

  private final List<Memory> kept = new ArrayList<>();
  private final ClusterNode node =
      new ClusterNode(
          SELF,
          new ClusterNodeConfig(ClusterTimes.usual(), ReplicaLimits.usual(), 10),
          (to, message) -> {
            if (to.equals(SELF)) {
              toSelf.add(message);
            } else if (message instanceof Chunk) {
              copied.add(to);
            }
          },
          _ -> entries,
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
              return true;
            }

            @Override
            public void keep(Memory memory, Runnable whenKept) {
              kept.add(memory);
            }
          },
          _ -> {});
  private long now;

  private void learn(int epoch, List<NodeId> members, @Nullable NodeId primary, NodeId... isr) {
    learn(epoch, members, new SegmentOwners(epoch, primary, List.of(isr), List.of()));
  }

  private void learn(int epoch, List<NodeId> members, SegmentOwners owners) {
    Topology topology =
        new Topology(
            epoch,
            members.stream().map(id -> new Member(id, 1, MemberProfile.ofCapacity(1))).toList(),
            List.of(members.getLast()),
            List.of(new CacheGroup(2, 1)),
            List.of(owners),
            List.of(),
            0);
    node.onMessage(FIRST, new Learn(topology), now);
    remembering.update(node, (_, _) -> {});
  }

  private void run(int steps) {
    for (int i = 0; i < steps; i++) {
      now += STEP;
      node.tick(now);
      while (!toSelf.isEmpty()) {
        node.onMessage(SELF, toSelf.remove(), now);
      }
      remembering.update(node, (_, _) -> {});
    }
  }

  private Map<Integer, List<NodeId>> predecessors() {
    return requireNonNull(node.memory()).predecessors();
  }

  /** This node is a backup; another one becomes primary. */
  private void followSecond() {
    learn(1, List.of(SELF, SECOND, FIRST), FIRST, FIRST, SECOND, SELF);
    assertEquals(Map.of(), predecessors());
    learn(2, List.of(SELF, FIRST, SECOND), SECOND, SECOND, SELF);
  }

  @Test
  void backup_forgetsThem_whenItsDiskHasWhatItWasMadeEqualWith() {
    followSecond();
    Map<Integer, List<NodeId>> first = Map.of(0, List.of(FIRST));
    run(50);
    assertEquals(first, predecessors(), "not made equal");
    node.onMessage(SECOND, new Sync(2, 0, 2, 0, LAST_SEQ, List.of()), now);
    run(50);
    assertEquals(first, predecessors(), "not committed");
    entries.unkeptSeq = LAST_SEQ;
    node.onMessage(SECOND, new Append(2, 0, 2, List.of(), LAST_SEQ), now);
    run(50);
    assertEquals(first, predecessors(), "not on the disk");
    entries.unkeptSeq = 0;
    run(50);
    assertEquals(Map.of(), predecessors());
    assertEquals(Map.of(), kept.getLast().predecessors(), "told the disk");
  }

  @Test
  void primary_forgetsThem_whenItIsActiveAndItsDiskHasAllUpToThen() {
    learn(1, List.of(SELF, FIRST), FIRST, FIRST, SELF);
    node.onMessage(FIRST, new Sync(1, 0, 1, 0, LAST_SEQ, List.of()), now);
    entries.unkeptSeq = LAST_SEQ;
    learn(2, List.of(SELF), SELF, SELF);
    Map<Integer, List<NodeId>> first = Map.of(0, List.of(FIRST));
    assertEquals(first, kept.getLast().predecessors(), "with the topology");
    run(1000);
    assertEquals(first, predecessors(), "not on the disk");
    entries.unkeptSeq = 0;
    run(50);
    assertEquals(Map.of(), predecessors());
  }

  /**
   * The learner may be the next process of the former primary: its disk is not to be changed yet.
   */
  @Test
  void primary_beginsNoCopy_beforeItsDiskHasAllUpToItsActivation() {
    learn(1, List.of(SELF, FIRST), FIRST, FIRST, SELF);
    node.onMessage(FIRST, new Sync(1, 0, 1, 0, LAST_SEQ, List.of()), now);
    entries.unkeptSeq = LAST_SEQ;
    List<NodeId> members = List.of(FIRST, SELF);
    learn(2, members, new SegmentOwners(2, SELF, List.of(SELF), List.of(FIRST)));
    run(20);
    assertTrue(node.isServing(0, now));
    assertEquals(Set.of(), copied);
    entries.unkeptSeq = 0;
    run(20);
    assertEquals(Set.of(FIRST), copied);

    entries.unkeptSeq = LAST_SEQ;
    members = List.of(FIRST, SECOND, SELF);
    learn(3, members, new SegmentOwners(3, SELF, List.of(SELF), List.of(SECOND)));
    run(20);
    assertEquals(Set.of(FIRST, SECOND), copied, "the same primary as before");
  }

  @Test
  void replica_remembersAllPrimariesInTheirOrder_untilItIsNone() {
    followSecond();
    learn(3, List.of(SELF, FIRST, SECOND), FIRST, FIRST, SECOND, SELF);
    learn(4, List.of(SELF, FIRST, SECOND), null, SECOND, SELF);
    assertEquals(Map.of(0, List.of(FIRST, SECOND)), predecessors());
    run(50);
    assertEquals(Map.of(0, List.of(FIRST, SECOND)), predecessors(), "while nobody serves it");
    learn(5, List.of(SELF, FIRST, SECOND), SECOND, SECOND);
    assertEquals(Map.of(), predecessors());
  }

  @Test
  void replica_ofASegmentThatWasBegunAnew_remembersNobody() {
    followSecond();
    learn(3, List.of(SELF, FIRST, SECOND), new SegmentOwners(3, SELF, List.of(SELF), List.of(), 1));
    assertEquals(Map.of(), predecessors());
  }

  @Test
  void node_thatEnds_forgetsThemAtOnce() {
    followSecond();
    node.onMessage(SECOND, new Sync(2, 0, 2, 0, 0, List.of()), now);
    node.tick(++now);
    node.settle(now);
    assertEquals(Map.of(), predecessors());
  }
}
