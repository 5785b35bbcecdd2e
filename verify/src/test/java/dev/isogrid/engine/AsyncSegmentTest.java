package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.isogrid.cluster.ClusterTimes;
import dev.isogrid.cluster.Lease;
import dev.isogrid.cluster.MembershipMessage.Grant;
import dev.isogrid.cluster.Message;
import dev.isogrid.engine.SegmentMessage.Appended;
import dev.isogrid.engine.SegmentMessage.Operation;
import dev.isogrid.engine.SegmentMessage.Reply;
import dev.isogrid.engine.SegmentMessage.Status;
import dev.isogrid.engine.SegmentMessage.Synced;
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

/** Answers and revocations of the primary of an asynchronous segment. */
class AsyncSegmentTest {
  private static final NodeId PRIMARY = new NodeId(0, 1);
  private static final NodeId BACKUP = new NodeId(0, 2);
  private static final ClusterTimes TIMES = ClusterTimes.usual();
  private static final CacheGroup GROUP = new CacheGroup(2, 1, true);
  private static final int NO_COPY = -1;
  private static final int PENDING = 8;
  private static final int BYTES = 10_000;
  private static final SimKey KEY = new SimKey(new SimKey.Scope(1), "key");
  private static final SegmentOwners OWNERS =
      new SegmentOwners(1, PRIMARY, List.of(PRIMARY, BACKUP), List.of());
  private static final Topology TOPOLOGY =
      new Topology(
          1,
          Stream.of(PRIMARY, BACKUP)
              .map(node -> new Member(node, 1, MemberProfile.ofCapacity(1)))
              .toList(),
          List.of(PRIMARY),
          List.of(GROUP),
          List.of(OWNERS),
          List.of(),
          0);

  private final List<Reply> replies = new ArrayList<>();
  private final SimEntries entries = new SimEntries();
  private final Lease lease = new Lease(PRIMARY, TIMES);
  private final ReplicaContext context =
      new ReplicaContext(
          PRIMARY,
          TIMES,
          new ReplicaLimits(PENDING, BYTES, 8, 8, BYTES, 8, BYTES, BYTES, 8, BYTES, 8),
          (_, message) -> sent(message),
          lease,
          (_, _, _) -> {},
          new CopyPace(CopyLimits.NONE));
  private final SegmentReplica replica = new SegmentReplica(0, context, entries, OWNERS, GROUP);

  private void sent(Message message) {
    if (message instanceof Reply reply) {
      replies.add(reply);
    }
  }

  private void begin() {
    lease.tick(TOPOLOGY, Set::of, (_, _) -> {}, 0);
    lease.onGrant(TOPOLOGY, PRIMARY, new Grant(1, 0), 0);
    context.install(TOPOLOGY);
    replica.install(OWNERS, true, 0);
    replica.onMessage(BACKUP, new Synced(1, 0, 1), 0);
  }

  private void put(long number, long nowNanos) {
    SimCommand command = new SimCommand(SimCommand.Kind.PUT, KEY, null, number);
    OperationId id = new OperationId(new SessionId(PRIMARY, 1), number);
    replica.onMessage(PRIMARY, new Operation(1, 0, 1, id, number - 1, 1, command), nowNanos);
  }

  @Test
  void write_isAnsweredBeforeTheOtherReplicaHasIt_butNotTooMany() {
    begin();
    for (int number = 1; number <= PENDING / 2; number++) {
      put(number, 0);
      assertEquals(number, replies.size());
      assertEquals(Status.DONE, replies.getLast().status());
      assertEquals((long) number, entries.value(KEY));
    }
    put(PENDING / 2 + 1, 0);
    assertEquals(PENDING / 2, replies.size());
    assertEquals((long) PENDING / 2, entries.value(KEY));
    long first = PENDING + 1; // behind what the primary before may have used
    replica.onMessage(BACKUP, new Appended(1, 0, 1, NO_COPY, first, 0), 0);
    assertEquals(PENDING / 2 + 1, replies.size());
    assertEquals(PENDING / 2 + 1L, entries.value(KEY));
    assertEquals(first, replica.log().commitSeq());
  }

  @Test
  void write_withoutLease_waitsForTheOtherReplica() {
    begin();
    long later = TIMES.usableLease() + 1;
    put(1, later);
    assertEquals(List.of(), replies);
    assertNull(entries.value(KEY));
    replica.onMessage(BACKUP, new Appended(1, 0, 1, NO_COPY, PENDING + 1, 0), later);
    assertEquals(1, replies.size());
    assertEquals(1L, entries.value(KEY));
  }

  @Test
  void primary_thatIsPrimaryNoMore_takesBackWhatTheOtherMayNotHave() {
    begin();
    put(1, 0);
    replica.onMessage(BACKUP, new Appended(1, 0, 1, NO_COPY, PENDING + 1, 0), 0);
    put(2, 0);
    assertEquals(2L, entries.value(KEY));
    replica.install(new SegmentOwners(2, BACKUP, List.of(PRIMARY, BACKUP), List.of()), false, 0);
    assertEquals(1L, entries.value(KEY));
  }
}
