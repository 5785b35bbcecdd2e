package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.cluster.ClusterTimes;
import dev.isogrid.cluster.Lease;
import dev.isogrid.cluster.MembershipMessage.Grant;
import dev.isogrid.cluster.Message;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.SegmentMessage.Append;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How soon a primary sends a write again that its backup does not acknowledge. */
class ResentWritesTest {
  private static final long MILLI = 1_000_000;
  private static final NodeId SELF = new NodeId(0, 1);
  private static final NodeId BACKUP = new NodeId(0, 2);
  private static final ClusterTimes TIMES = ClusterTimes.usual();

  private final List<Append> appends = new ArrayList<>();
  private final Lease lease = new Lease(SELF, TIMES);
  private final ReplicaContext context =
      new ReplicaContext(
          SELF,
          TIMES,
          ReplicaLimits.usual(),
          this::send,
          lease,
          (_, _, _) -> {},
          new CopyPace(CopyLimits.NONE));

  private void send(NodeId to, Message message) {
    if (message instanceof Append append && !append.entries().isEmpty()) {
      appends.add(append);
    }
  }

  @ParameterizedTest
  @CsvSource({"100, 7", "1000000, 2"})
  void write_withoutAcknowledgement_isSentAgain_aLargeOneLater(int bytes, int times) {
    Topology topology =
        new Topology(
            1,
            Stream.of(SELF, BACKUP)
                .map(node -> new Member(node, 1, MemberProfile.ofCapacity(1)))
                .toList(),
            List.of(SELF),
            List.of(new CacheGroup(2, 1)),
            List.of(new SegmentOwners(1, SELF, List.of(SELF, BACKUP), List.of())),
            List.of(),
            0);
    lease.tick(topology, Set::of, (_, _) -> {}, 0);
    lease.onGrant(topology, SELF, new Grant(1, 0), 0);
    context.install(topology);
    SegmentOwners owners = topology.segments().getFirst();
    SegmentReplica replica =
        new SegmentReplica(0, context, new TestEntries(), owners, topology.groups().getFirst());
    replica.install(owners, true, 0);
    replica.onMessage(BACKUP, new Synced(1, 0, 1), 0);
    ByteString key = RealCluster.bytes("key");
    OperationId id = new OperationId(new SessionId(SELF, 1), 1);
    Command put = TestCommand.put(key, ByteString.of(new byte[bytes]));
    replica.onMessage(SELF, new Operation(1, 0, 1, id, 0, 1, put), 0);
    for (long millis = 0; millis < 650; millis += 5) {
      replica.tick(millis * MILLI);
    }
    assertEquals(times, appends.size());
  }
}
