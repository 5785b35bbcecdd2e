package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.ClusterTimes;
import dev.isogrid.cluster.Lease;
import dev.isogrid.cluster.MembershipMessage.AddIsr;
import dev.isogrid.cluster.MembershipMessage.Grant;
import dev.isogrid.cluster.MembershipMessage.Unreached;
import dev.isogrid.cluster.Message;
import dev.isogrid.engine.SegmentMessage.Appended;
import dev.isogrid.engine.SegmentMessage.Chunk;
import dev.isogrid.engine.SegmentMessage.ChunkStored;
import dev.isogrid.engine.SegmentMessage.Operation;
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

/** A primary's knowledge of a learner's copy. */
class LearnerCopyTest {
  private static final NodeId PRIMARY = new NodeId(0, 1);
  private static final NodeId BACKUP = new NodeId(0, 2);
  private static final NodeId LEARNER = new NodeId(0, 3);
  private static final ClusterTimes TIMES = ClusterTimes.usual();
  private static final CacheGroup GROUP = new CacheGroup(2, 1);
  private static final int NO_COPY = -1;
  private static final int HISTORY = 1;
  private static final int BYTES = 10_000;
  private static final SimKey KEY = new SimKey(new SimKey.Scope(1), "key");
  private static final Topology TOPOLOGY =
      new Topology(
          1,
          Stream.of(PRIMARY, BACKUP, LEARNER)
              .map(node -> new Member(node, 1, MemberProfile.ofCapacity(1)))
              .toList(),
          List.of(PRIMARY),
          List.of(GROUP),
          List.of(new SegmentOwners(1, PRIMARY, List.of(PRIMARY, BACKUP), List.of(LEARNER))),
          List.of(),
          0);

  private final List<Message> sent = new ArrayList<>();
  private final Lease lease = new Lease(PRIMARY, TIMES);
  private final ReplicaContext context =
      new ReplicaContext(
          PRIMARY,
          TIMES,
          new ReplicaLimits(8, BYTES, 8, 8, BYTES, 8, BYTES, BYTES, HISTORY, BYTES, 8),
          (_, message) -> sent.add(message),
          lease,
          (_, _, _) -> {},
          new CopyPace(CopyLimits.NONE));
  private final SegmentReplica replica =
      new SegmentReplica(0, context, new SimEntries(), TOPOLOGY.segments().getFirst(), GROUP);

  @Test
  void appended_ofAnOlderCopy_doesNotCountForTheNewOne() {
    lease.tick(TOPOLOGY, Set::of, (_, _) -> {}, 0);
    lease.onGrant(TOPOLOGY, PRIMARY, new Grant(1, 0), 0);
    context.install(TOPOLOGY);
    replica.install(TOPOLOGY.segments().getFirst(), true, 0);
    receive(BACKUP, new Synced(1, 0, 1), 0);
    for (int number = 1; number <= 4; number++) {
      receive(PRIMARY, put(number), 0);
    }
    receive(BACKUP, new Appended(1, 0, 1, NO_COPY, 3, 0), 0);
    replica.tick(TIMES.resend());
    List<Long> copies =
        sent.stream()
            .filter(Chunk.class::isInstance)
            .map(message -> ((Chunk) message).startSeq())
            .distinct()
            .toList();
    assertEquals(List.of(0L, 3L), copies);

    // The learner had all four writes after the first copy, and has three after the second.
    receive(LEARNER, new Appended(1, 0, 1, 0, 4, 0), TIMES.resend());
    receive(BACKUP, new Appended(1, 0, 1, NO_COPY, 4, 0), TIMES.resend());
    receive(LEARNER, new ChunkStored(1, 0, 1, 0, 3), TIMES.resend());
    assertTrue(sent.stream().noneMatch(AddIsr.class::isInstance));

    receive(LEARNER, new Appended(1, 0, 1, 3, 4, 0), TIMES.resend());
    assertTrue(sent.stream().anyMatch(AddIsr.class::isInstance));
  }

  @Test
  void chunk_thatWasLost_isSentAgainWhileWritesGoOn() {
    lease.tick(TOPOLOGY, Set::of, (_, _) -> {}, 0);
    lease.onGrant(TOPOLOGY, PRIMARY, new Grant(1, 0), 0);
    context.install(TOPOLOGY);
    replica.install(TOPOLOGY.segments().getFirst(), true, 0);
    receive(BACKUP, new Synced(1, 0, 1), 0);
    long step = TIMES.resendCopies() / 4;
    for (int number = 1; number <= 5; number++) {
      long now = number * step;
      receive(PRIMARY, put(number), now);
      receive(BACKUP, new Appended(1, 0, 1, NO_COPY, number, number - 1), now);
      receive(LEARNER, new Appended(1, 0, 1, 0, number, number - 1), now);
      replica.tick(now);
    }
    assertEquals(2, sent.stream().filter(Chunk.class::isInstance).count());
  }

  @Test
  void replica_thatAnswersInOtherSegmentsOnly_isComplainedOfAfterSomeTime() {
    lease.tick(TOPOLOGY, Set::of, (_, _) -> {}, 0);
    lease.onGrant(TOPOLOGY, PRIMARY, new Grant(1, 0), 0);
    context.install(TOPOLOGY);
    replica.install(TOPOLOGY.segments().getFirst(), true, 0);
    receive(BACKUP, new Synced(1, 0, 1), 0);
    receive(PRIMARY, put(1), 0);
    long complained = 0;
    for (long now = 0; complained == 0 && now < 100 * TIMES.patience(); now += TIMES.resend()) {
      context.reachability().answered(BACKUP, now);
      context.reachability().answered(LEARNER, now);
      replica.tick(now);
      complained = sent.stream().anyMatch(Unreached.class::isInstance) ? now : 0;
    }
    assertTrue(complained > 10 * TIMES.patience(), "nanos=" + complained);
  }

  private void receive(NodeId from, SegmentMessage message, long nowNanos) {
    replica.onMessage(from, message, nowNanos);
  }

  private static Operation put(int number) {
    SimCommand command = new SimCommand(SimCommand.Kind.PUT, KEY, null, number);
    OperationId id = new OperationId(new SessionId(PRIMARY, 1), number);
    return new Operation(1, 0, 1, id, number - 1, 1, command);
  }
}
