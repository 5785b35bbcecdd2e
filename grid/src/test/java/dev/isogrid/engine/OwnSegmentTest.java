package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.ClusterTimes;
import dev.isogrid.cluster.Lease;
import dev.isogrid.cluster.MembershipMessage.Grant;
import dev.isogrid.cluster.Message;
import dev.isogrid.engine.SegmentMessage.Operation;
import dev.isogrid.engine.SegmentMessage.Reply;
import dev.isogrid.engine.SegmentMessage.Status;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** When the only replica of a segment leaves its entries to the callers of its node. */
class OwnSegmentTest {
  private static final NodeId SELF = new NodeId(0, 1);
  private static final NodeId OTHER = new NodeId(0, 2);
  private static final ClusterTimes TIMES = ClusterTimes.usual();

  private final List<Message> sent = new ArrayList<>();
  private final TestEntries entries = new TestEntries();
  private final Lease lease = new Lease(SELF, TIMES);
  private final ReplicaContext context =
      new ReplicaContext(
          SELF,
          TIMES,
          ReplicaLimits.usual(),
          (_, message) -> sent.add(message),
          lease,
          (_, _, _) -> {},
          new CopyPace(CopyLimits.NONE));

  private static Topology topology(CacheGroup group, NodeId... members) {
    return new Topology(
        1,
        Stream.of(members).map(node -> new Member(node, 1, MemberProfile.ofCapacity(1))).toList(),
        List.of(SELF),
        List.of(group),
        List.of(new SegmentOwners(1, SELF, List.of(SELF), List.of())),
        List.of(),
        0);
  }

  /** The only replica in a topology, when it serves and a tick has passed. */
  private SegmentReplica replica(Topology topology) {
    lease.tick(topology, Set::of, (_, _) -> {}, 0);
    lease.onGrant(topology, SELF, new Grant(1, 0), 0);
    context.install(topology);
    SegmentOwners owners = topology.segments().getFirst();
    SegmentReplica replica =
        new SegmentReplica(0, context, entries, owners, topology.groups().getFirst());
    replica.install(owners, true, 0);
    replica.tick(1);
    return replica;
  }

  @Test
  void segment_ofTheOnlyMember_isOwn() {
    replica(topology(new CacheGroup(2, 1), SELF));
    assertTrue(entries.isOwn);
  }

  @Test
  void segment_thatIsToHaveOneCopy_isOwn() {
    replica(topology(new CacheGroup(1, 1), SELF, OTHER));
    assertTrue(entries.isOwn);
  }

  @Test
  void segment_thatLacksACopy_isNotOwn_untilTheOthersHaveLeft() {
    CacheGroup group = new CacheGroup(2, 1);
    SegmentReplica replica = replica(topology(group, SELF, OTHER));
    assertFalse(entries.isOwn);
    context.install(topology(group, SELF));
    replica.tick(2);
    assertTrue(entries.isOwn);
  }

  private void read(SegmentReplica replica, long number) {
    OperationId id = new OperationId(new SessionId(OTHER, 1), number);
    TestCommand read = TestCommand.get(RealCluster.bytes("key"));
    replica.onMessage(OTHER, new Operation(1, 0, 1, id, 0, 1, ClientOperation.FIRST, read), 3);
  }

  /** Else the write of a caller could be read elsewhere, and be lost with the power after that. */
  @Test
  void readOfAnotherNode_ofAWriteThatIsNotOnTheDisk_waits_andEndsThat() {
    SegmentReplica replica = replica(topology(new CacheGroup(1, 1), SELF, OTHER));
    entries.ownSeq = 7;
    read(replica, 1);
    assertEquals(1, sent.size());
    assertTrue(entries.isOwn);

    entries.unkeptSeq = 7;
    read(replica, 2);
    assertEquals(1, sent.size());
    assertFalse(entries.isOwn);
    entries.unkeptSeq = 0;
    replica.onForced();
    assertEquals(2, sent.size());
  }

  private void put(SegmentReplica replica, long number, int attempt, long ageMillis) {
    OperationId id = new OperationId(SessionId.ofClient(7, 7), number);
    TestCommand put = TestCommand.put(RealCluster.bytes("key"), RealCluster.bytes("value"));
    replica.onMessage(OTHER, new Operation(1, 0, 1, id, 0, attempt, ageMillis, put), 3);
  }

  /** The answer to what a client repeats soon after the segment was the node's alone. */
  private Status answerToRepetition() {
    SegmentReplica replica = replica(topology(new CacheGroup(1, 1), SELF, OTHER));
    put(replica, 1, 1, ClientOperation.FIRST);
    assertFalse(entries.isOwn);
    put(replica, 2, ClientOperation.REPEATED_ATTEMPTS + 1, 100);
    return ((Reply) sent.getLast()).status();
  }

  /** It may be one of the writes that left no record. */
  @Test
  void repetition_whereClientsWroteToAnOwnSegment_isRefused() {
    entries.isWrittenByClients = true;
    assertEquals(Status.STALE_OPERATION, answerToRepetition());
  }

  @Test
  void repetition_whereNoClientWroteToAnOwnSegment_isCarriedOut() {
    assertEquals(Status.DONE, answerToRepetition());
  }
}
