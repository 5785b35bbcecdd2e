package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.isogrid.cluster.ClusterTimes;
import dev.isogrid.cluster.Lease;
import dev.isogrid.cluster.Message;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.SegmentMessage.Append;
import dev.isogrid.engine.SegmentMessage.Appended;
import dev.isogrid.engine.SegmentMessage.Chunk;
import dev.isogrid.engine.SegmentMessage.ChunkStored;
import dev.isogrid.engine.SegmentMessage.CopiedEntry;
import dev.isogrid.engine.SegmentMessage.Sync;
import dev.isogrid.engine.SegmentMessage.Synced;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A replica takes nothing of a cache that its node has not heard of, and acknowledges none. */
class UnknownCacheTest {
  private static final NodeId PRIMARY = new NodeId(0, 1);
  private static final NodeId SELF = new NodeId(0, 2);
  private static final ClusterTimes TIMES = ClusterTimes.usual();
  private static final CacheGroup GROUP = new CacheGroup(2, 1);
  private static final ByteString OLD = ByteString.of(new byte[] {1});
  private static final ByteString NEW = ByteString.of(new byte[] {2});
  private static final SessionId SESSION = new SessionId(PRIMARY, 1);

  private final List<Message> sent = new ArrayList<>();
  private final TestEntries entries = new TestEntries();
  private final ReplicaContext context =
      new ReplicaContext(
          SELF,
          TIMES,
          ReplicaLimits.usual(),
          (_, message) -> sent.add(message),
          new Lease(SELF, TIMES),
          (_, _, _) -> {},
          new CopyPace(CopyLimits.NONE));

  private SegmentReplica replica(boolean isBackup) {
    SegmentOwners owners =
        isBackup
            ? new SegmentOwners(1, PRIMARY, List.of(PRIMARY, SELF), List.of())
            : new SegmentOwners(1, PRIMARY, List.of(PRIMARY), List.of(SELF));
    SegmentReplica replica = new SegmentReplica(0, context, entries, owners, GROUP);
    replica.install(owners, true, 0);
    entries.unknown.add(NEW);
    return replica;
  }

  private static LogEntry put(long seq, ByteString key) {
    return new LogEntry(seq, key, true, key, new OperationId(SESSION, seq), 0, null);
  }

  private Message answer(SegmentReplica replica, SegmentMessage message) {
    sent.clear();
    replica.onMessage(PRIMARY, message, 0);
    return sent.isEmpty() ? message : sent.getLast();
  }

  @Test
  void append_ofAnUnknownCache_isAcknowledgedUpToIt() {
    SegmentReplica replica = replica(true);
    replica.onMessage(PRIMARY, new Sync(1, 0, 1, 0, 0, List.of()), 0);
    Append both = new Append(1, 0, 1, List.of(put(1, OLD), put(2, NEW)), 2);
    assertEquals(1, ((Appended) answer(replica, both)).lastSeq());
    assertEquals(OLD, entries.value(OLD));
    assertNull(entries.value(NEW));
    entries.unknown.clear();
    assertEquals(2, ((Appended) answer(replica, both)).lastSeq());
    assertEquals(NEW, entries.value(NEW));
  }

  @Test
  void sync_withAWriteToAnUnknownCache_isAnsweredWhenTheCacheIsKnown() {
    SegmentReplica replica = replica(true);
    Sync sync = new Sync(1, 0, 1, 0, 2, List.of(put(1, OLD), put(2, NEW)));
    assertEquals(sync, answer(replica, sync));
    assertEquals(0, replica.log().lastSeq());
    entries.unknown.clear();
    assertEquals(Synced.class, answer(replica, sync).getClass());
    assertEquals(2, replica.log().lastSeq());
  }

  @Test
  void chunk_withAnEntryOfAnUnknownCache_isAnsweredWhenTheCacheIsKnown() {
    SegmentReplica replica = replica(false);
    List<CopiedEntry> copied = List.of(new CopiedEntry(OLD, OLD, 1), new CopiedEntry(NEW, NEW, 2));
    Chunk chunk = new Chunk(1, 0, 1, 0, 2, null, copied, List.of(), true);
    assertEquals(chunk, answer(replica, chunk));
    assertEquals(0, entries.count());
    entries.unknown.clear();
    assertEquals(ChunkStored.class, answer(replica, chunk).getClass());
    assertEquals(NEW, entries.value(NEW));
  }
}
