package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.ClusterTimes;
import dev.isogrid.cluster.Lease;
import dev.isogrid.cluster.MembershipMessage.Grant;
import dev.isogrid.cluster.Message;
import dev.isogrid.engine.SegmentMessage.Append;
import dev.isogrid.engine.SegmentMessage.Appended;
import dev.isogrid.engine.SegmentMessage.Chunk;
import dev.isogrid.engine.SegmentMessage.ChunkStored;
import dev.isogrid.engine.SegmentMessage.Operation;
import dev.isogrid.engine.SegmentMessage.Reply;
import dev.isogrid.engine.SegmentMessage.Status;
import dev.isogrid.engine.SegmentMessage.Sync;
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

/** Writes while the disk of the primary or of a backup is slow. */
class SlowDiskTest {
  private static final NodeId PRIMARY = new NodeId(0, 1);
  private static final NodeId BACKUP = new NodeId(0, 2);
  private static final ClusterTimes TIMES = ClusterTimes.usual();
  private static final CacheGroup GROUP = new CacheGroup(2, 1);
  private static final int NO_COPY = -1;
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
  private final List<Append> appends = new ArrayList<>();
  private final List<Appended> told = new ArrayList<>();
  private final List<Integer> stored = new ArrayList<>();
  private final SimEntries entries = new SimEntries();
  private final Lease lease = new Lease(PRIMARY, TIMES);
  private final ReplicaContext context =
      new ReplicaContext(
          PRIMARY,
          TIMES,
          new ReplicaLimits(8, 10_000, 8, 8, 10_000, 8, 10_000, 10_000, 8, 10_000, 8),
          (_, message) -> sent(message),
          lease,
          (_, _, _) -> {},
          new CopyPace(CopyLimits.NONE));
  private final SegmentReplica replica = new SegmentReplica(0, context, entries, OWNERS, GROUP);

  private void sent(Message message) {
    if (message instanceof Reply reply) {
      replies.add(reply);
    } else if (message instanceof Append append) {
      appends.add(append);
    } else if (message instanceof Appended appended) {
      told.add(appended);
    } else if (message instanceof ChunkStored part) {
      stored.add(part.number());
    }
  }

  private void begin() {
    lease.tick(TOPOLOGY, Set::of, (_, _) -> {}, 0);
    lease.onGrant(TOPOLOGY, PRIMARY, new Grant(1, 0), 0);
    context.install(TOPOLOGY);
    replica.install(OWNERS, true, 0);
    replica.onMessage(BACKUP, new Synced(1, 0, 1), 0);
  }

  private void put(int attempt) {
    SimCommand command = new SimCommand(SimCommand.Kind.PUT, KEY, null, 1);
    OperationId id = new OperationId(new SessionId(PRIMARY, 1), 1);
    replica.onMessage(PRIMARY, new Operation(1, 0, 1, id, 0, attempt, command), 0);
  }

  /** The backup acknowledges what it was sent. */
  private void acknowledge(boolean isDiskBehind) {
    long last =
        appends.stream()
            .flatMap(append -> append.entries().stream())
            .mapToLong(LogEntry::seq)
            .max()
            .orElse(0);
    replica.onMessage(BACKUP, new Appended(1, 0, 1, NO_COPY, last, 0, false, isDiskBehind), 0);
  }

  @Test
  void write_whileThePrimarysDiskIsBehind_isToBeSentAgain() {
    begin();
    entries.isDiskBehind = true;
    put(1);
    assertEquals(List.of(Status.NOT_READY), replies.stream().map(Reply::status).toList());
    assertEquals(List.of(), appends);

    entries.isDiskBehind = false;
    put(2);
    acknowledge(false);
    assertEquals(Status.DONE, replies.getLast().status());
    assertEquals(1, entries.value(KEY));
  }

  @Test
  void read_ofAWriteThatIsNotOnTheDisk_isAnsweredWhenItIs() {
    begin();
    entries.keptSeq = 0;
    put(1);
    acknowledge(false);
    assertEquals(1, entries.value(KEY));
    OperationId id = new OperationId(new SessionId(PRIMARY, 1), 2);
    SimCommand read = new SimCommand(SimCommand.Kind.GET, KEY, null, null);
    replica.onMessage(PRIMARY, new Operation(1, 0, 1, id, 0, 1, read), 0);
    assertEquals(List.of(), replies);

    entries.keptSeq = Long.MAX_VALUE;
    replica.onForced();
    assertEquals(2, replies.size());
    assertEquals(1, replies.getLast().result());
  }

  @Test
  void write_whileABackupsDiskIsBehind_isToBeSentAgain() {
    begin();
    acknowledge(true);
    put(1);
    assertEquals(List.of(Status.NOT_READY), replies.stream().map(Reply::status).toList());
    int asked = appends.size();
    replica.tick(TIMES.resend());
    assertEquals(asked + 1, appends.size(), "the backup is asked again");

    acknowledge(false);
    put(2);
    acknowledge(false);
    assertEquals(Status.DONE, replies.getLast().status());
  }

  private static Chunk chunk(int number) {
    return new Chunk(1, 0, 1, number, 0, null, List.of(), List.of(), CopyDelta.NONE, false);
  }

  @Test
  void learner_whoseDiskIsBehind_acknowledgesPartsWhenItIsNotAnyMore() {
    SegmentOwners others = new SegmentOwners(1, BACKUP, List.of(BACKUP), List.of(PRIMARY));
    context.install(TOPOLOGY);
    replica.install(others, true, 0);
    replica.onMessage(BACKUP, chunk(0), 0);
    assertEquals(List.of(0), stored);
    entries.isDiskBehind = true;
    replica.onMessage(BACKUP, chunk(1), 0);
    replica.onMessage(BACKUP, chunk(2), 0);
    replica.onMessage(BACKUP, chunk(1), 0);
    replica.onForced();
    assertEquals(List.of(0), stored);

    entries.isDiskBehind = false;
    replica.onForced();
    assertEquals(List.of(0, 2), stored);
  }

  @Test
  void backup_whoseDiskIsBehind_saysSo() {
    SegmentOwners others = new SegmentOwners(1, BACKUP, List.of(BACKUP, PRIMARY), List.of());
    context.install(TOPOLOGY);
    replica.install(others, true, 0);
    replica.onMessage(BACKUP, new Sync(1, 0, 1, 0, 0, List.of()), 0);
    entries.isDiskBehind = true;
    replica.onMessage(BACKUP, new Append(1, 0, 1, List.of(), 0), 0);
    assertTrue(told.getLast().isDiskBehind());
    entries.isDiskBehind = false;
    replica.onMessage(BACKUP, new Append(1, 0, 1, List.of(), 0), 0);
    assertFalse(told.getLast().isDiskBehind());
  }
}
