package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.isogrid.engine.SegmentMessage.CopiedEntry;
import dev.isogrid.topology.NodeId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReplicaLogTest {
  private static final SessionId SESSION = new SessionId(new NodeId(0, 1), 1);
  private static final SimKey.Scope SCOPE = new SimKey.Scope(1);
  private static final SimKey KEY = new SimKey(SCOPE, "k");
  private static final SimKey OTHER = new SimKey(new SimKey.Scope(2), "k");
  private static final long NO_LIMIT = Long.MAX_VALUE;

  private final SimEntries entries = new SimEntries();
  private final ReplicaLog log = new ReplicaLog(entries, _ -> {}, RecordRoom.unbounded());

  private void append(Object key, boolean changes, @Nullable Object value) {
    long seq = log.lastSeq() + 1;
    OperationId id = new OperationId(SESSION, seq);
    log.append(new LogEntry(seq, key, changes, value, id, 0, null), true);
  }

  private long pendingSeq(Object key) {
    LogEntry pending = log.pending(key);
    return pending == null ? 0 : pending.seq();
  }

  @Test
  void pending_ofKeyInScopeThatIsCleared_isTheLaterOfTheTwo() {
    append(KEY, true, 1L);
    append(OTHER, true, 2L);
    append(SCOPE, true, null);
    assertEquals(3, pendingSeq(KEY));
    assertEquals(2, pendingSeq(OTHER));
    append(SCOPE, false, null);
    append(KEY, false, null);
    assertEquals(3, pendingSeq(KEY));
    append(KEY, true, 3L);
    assertEquals(6, pendingSeq(KEY));
    log.truncate(5);
    assertEquals(3, pendingSeq(KEY));
    log.truncate(2);
    assertEquals(1, pendingSeq(KEY));
  }

  @Test
  void commit_ofClear_removesWhatWasWrittenBefore() {
    append(KEY, true, 1L);
    append(OTHER, true, 2L);
    append(SCOPE, true, null);
    append(new SimKey(SCOPE, "later"), true, 3L);
    log.commitUpTo(4);
    assertNull(log.committed(KEY));
    assertEquals(2L, log.committed(OTHER));
    assertEquals(3L, log.committed(new SimKey(SCOPE, "later")));
    assertEquals(2, entries.count());
  }

  @Test
  void copied_ofEntryThatWasClearedMeanwhile_isNotStored() {
    log.beginCopy(5, null, Map.of());
    append(SCOPE, true, null);
    append(new SimKey(SCOPE, "later"), true, 3L);
    log.commitUpTo(7);
    log.copied(new CopiedEntry(KEY, 1L, 4), true);
    log.copied(new CopiedEntry(OTHER, 2L, 4), true);
    log.copied(new CopiedEntry(new SimKey(SCOPE, "later"), 1L, 2), true);
    log.endCopy();
    assertNull(log.committed(KEY));
    assertEquals(2L, log.committed(OTHER));
    assertEquals(3L, log.committed(new SimKey(SCOPE, "later")));
  }

  @Test
  void copied_ofEntryWhoseLaterWriteWasEvicted_isNotStored() {
    log.beginCopy(5, null, Map.of());
    append(KEY, true, 2L);
    append(SCOPE, true, new ManyValues(Map.of(OTHER, 2L)));
    log.commitUpTo(7);
    entries.remove(KEY, 0);
    entries.remove(OTHER, 0);
    log.copied(new CopiedEntry(KEY, 1L, 4), true);
    log.copied(new CopiedEntry(OTHER, 1L, 4), true);
    assertNull(log.committed(KEY));
    assertNull(log.committed(OTHER));
    log.endCopy();
  }

  @Test
  void applyAhead_showsWritesThatCanBeTakenBack() {
    append(KEY, true, 1L);
    append(OTHER, true, 2L);
    log.commitUpTo(2);
    append(KEY, true, 3L);
    append(OTHER, true, null);
    append(new SimKey(SCOPE, "new"), true, 4L);
    append(KEY, true, 5L);
    log.applyAhead(3, NO_LIMIT);
    assertEquals(5, log.appliedSeq());
    log.applyAhead(4, NO_LIMIT);
    assertEquals("committed up to 2: " + entries, log.toString());
    assertEquals(5L, log.committed(KEY));
    assertNull(log.committed(OTHER));
    log.commitUpTo(3);
    log.takeBack();
    assertEquals(3, log.appliedSeq());
    assertEquals(3L, log.committed(KEY));
    assertEquals(2L, log.committed(OTHER));
    assertNull(log.committed(new SimKey(SCOPE, "new")));
    log.commitUpTo(6);
    assertEquals(5L, log.committed(KEY));
    assertEquals(2, entries.count());
  }

  @Test
  void applyAhead_waitsForTheRemovalOfAScope() {
    append(KEY, true, 1L);
    append(SCOPE, true, null);
    append(KEY, true, 2L);
    log.applyAhead(9, NO_LIMIT);
    assertEquals(1, log.appliedSeq());
    log.commitUpTo(2);
    log.applyAhead(9, NO_LIMIT);
    assertEquals(3, log.appliedSeq());
    assertEquals(2L, log.committed(KEY));
  }

  @Test
  void manyKeys_areOneWriteOfEach() {
    SimKey second = new SimKey(SCOPE, "second");
    append(KEY, true, 1L);
    log.commitUpTo(1);
    append(SCOPE, true, new ManyValues(Map.of(KEY, 2L, second, 2L)));
    append(second, true, 3L);
    assertEquals(2, pendingSeq(KEY));
    assertEquals(2L, Objects.requireNonNull(log.pending(KEY)).value(KEY));
    assertEquals(3, pendingSeq(second));
    assertEquals(0, pendingSeq(SCOPE));
    log.truncate(2);
    assertEquals(2, pendingSeq(second));
    log.applyAhead(9, NO_LIMIT);
    assertEquals(2L, log.committed(KEY));
    assertEquals(2L, log.committed(second));
    log.takeBack();
    assertEquals(1L, log.committed(KEY));
    assertNull(log.committed(second));
    log.commitUpTo(2);
    assertEquals(2L, log.committed(second));
    assertEquals(0, pendingSeq(second));
    assertEquals(0, log.pendingBytes());
  }

  @Test
  void skipTo_leavesPlacesThatAreCommittedWithoutEntries() {
    append(KEY, true, 1L);
    log.skipTo(10);
    log.commitUpTo(4);
    assertEquals(4, log.commitSeq());
    log.commitUpTo(99);
    assertEquals(10, log.commitSeq());
    append(KEY, true, 2L);
    assertEquals(List.of(1L, 11L), seqs(log.after(0, 9, NO_LIMIT)));
    log.trim(5);
    assertEquals(List.of(11L), seqs(log.after(5, 9, NO_LIMIT)));
    assertNull(log.after(4, 9, NO_LIMIT));
    log.truncate(10);
    assertEquals(10, log.lastSeq());
  }

  @Test
  void after_withFewBytes_returnsOneEntryAtLeast() {
    append(KEY, true, 1L);
    append(KEY, true, 2L);
    append(KEY, true, 3L);
    long bytes = new LogEntry(1, KEY, true, 1L, new OperationId(SESSION, 1), 0, null).sizeBytes();
    assertEquals(List.of(1L), seqs(log.after(0, 9, 1)));
    assertEquals(List.of(1L, 2L), seqs(log.after(0, 9, bytes + 1)));
    assertEquals(List.of(2L), seqs(log.after(1, 1, NO_LIMIT)));
    assertEquals(3 * bytes, log.pendingBytes());
  }

  @Test
  void trimToBytes_forgetsCommittedEntriesOnly() {
    append(KEY, true, 1L);
    append(KEY, true, 2L);
    append(KEY, true, 3L);
    log.commitUpTo(2);
    long bytes = log.historyBytes() / 2;
    log.trimToBytes(bytes);
    assertNull(log.after(0, 9, NO_LIMIT));
    assertEquals(List.of(2L, 3L), seqs(log.after(1, 9, NO_LIMIT)));
    log.trimToBytes(0);
    assertEquals(List.of(3L), seqs(log.after(2, 9, NO_LIMIT)));
    assertEquals(0, log.historyBytes());
    assertEquals(bytes, log.pendingBytes());
  }

  private static @Nullable List<Long> seqs(@Nullable List<LogEntry> entries) {
    return entries == null ? null : entries.stream().map(LogEntry::seq).toList();
  }
}
