package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.cluster.ClusterTimes;
import dev.isogrid.cluster.Lease;
import dev.isogrid.cluster.MembershipMessage.Grant;
import dev.isogrid.cluster.Message;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.SegmentMessage.Append;
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
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Messages without an answer are sent again, more and more seldom. */
class ResendTest {
  private static final NodeId SELF = new NodeId(0, 1);
  private static final NodeId OTHER = new NodeId(0, 2);
  private static final ClusterTimes TIMES = ClusterTimes.usual();
  private static final CacheGroup GROUP = new CacheGroup(2, 1);
  private static final ByteString KEY = ByteString.of(new byte[] {1});
  private static final TestCommand PUT = TestCommand.put(KEY, KEY);
  private static final OperationId FIRST = new OperationId(new SessionId(SELF, 1), 1);
  private static final long MILLI = 1_000_000;
  private static final long TICK = 50 * MILLI;
  private static final List<Long> PAUSES_GROW = List.of(0L, 100L, 300L, 700L, 1500L, 2300L, 3100L);

  private final List<Message> sent = new ArrayList<>();
  private final List<Long> sentMillis = new ArrayList<>();
  private long nowNanos;

  private static Topology topology(NodeId primary) {
    return new Topology(
        1,
        Stream.of(SELF, OTHER)
            .map(node -> new Member(node, 1, MemberProfile.ofCapacity(1)))
            .toList(),
        List.of(SELF),
        List.of(GROUP),
        List.of(new SegmentOwners(1, primary, List.of(SELF, OTHER), List.of())),
        List.of(),
        0);
  }

  private void send(Message message) {
    sent.add(message);
    if (message instanceof Append || message instanceof Operation) {
      sentMillis.add(nowNanos / MILLI);
    }
  }

  private void tickUntil(long endMillis, LongConsumer tick) {
    while (nowNanos < endMillis * MILLI) {
      nowNanos += TICK;
      tick.accept(nowNanos);
    }
  }

  @Test
  void call_withoutAnswer_isSentAtGrowingPauses_andAfterARefusalSoon() {
    Calls calls = new Calls(SELF, TIMES, (_, message) -> send(message), 8, pace());
    calls.install(topology(OTHER), 0);
    calls.tryBegin(PUT, null, 0, Long.MAX_VALUE, _ -> {}, 0);
    tickUntil(3100, calls::tick);
    assertEquals(PAUSES_GROW, sentMillis);

    sentMillis.clear();
    int attempt = ((Operation) sent.getLast()).attempt();
    calls.onReply(
        OTHER, new Reply(1, 0, 1, FIRST, attempt, Status.NOT_READY, false, null), nowNanos);
    tickUntil(3300, calls::tick);
    assertEquals(List.of(3150L, 3250L), sentMillis);
  }

  @Test
  void write_thatAReplicaDoesNotAcknowledge_isSentAtGrowingPausesUntilItGetsOn() {
    Lease lease = new Lease(SELF, TIMES);
    ReplicaContext context =
        new ReplicaContext(
            SELF,
            TIMES,
            ReplicaLimits.usual(),
            (_, message) -> send(message),
            lease,
            (_, _, _) -> {},
            pace());
    Topology topology = topology(SELF);
    lease.tick(topology, Set::of, (_, _) -> {}, 0);
    lease.onGrant(topology, SELF, new Grant(1, 0), 0);
    context.install(topology);
    SegmentOwners owners = topology.segments().getFirst();
    SegmentReplica replica = new SegmentReplica(0, context, new TestEntries(), owners, GROUP);
    replica.install(owners, true, 0);
    replica.onMessage(OTHER, new Synced(1, 0, 1), 0);
    put(replica, 1);
    tickUntil(3100, replica::tick);
    assertEquals(PAUSES_GROW, sentMillis);

    replica.onMessage(
        OTHER, new Appended(1, 0, 1, ReplicaPeer.NO_COPY, 1, 0, false, false), nowNanos);
    sentMillis.clear();
    put(replica, 2);
    tickUntil(3400, replica::tick);
    assertEquals(List.of(3100L, 3200L, 3400L), sentMillis);
  }

  private void put(SegmentReplica replica, long number) {
    OperationId id = new OperationId(FIRST.session(), number);
    replica.onMessage(SELF, new Operation(1, 0, 1, id, 0, 1, ClientOperation.FIRST, PUT), nowNanos);
  }

  private static CopyPace pace() {
    return new CopyPace(CopyLimits.NONE);
  }
}
