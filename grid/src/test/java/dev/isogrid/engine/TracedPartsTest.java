package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.KeyWrite.Condition;
import dev.isogrid.engine.SegmentMessage.Operation;
import dev.isogrid.engine.SegmentMessage.Reply;
import dev.isogrid.engine.SegmentMessage.Status;
import dev.isogrid.engine.WriteEntry.Action;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.List;
import org.junit.jupiter.api.Test;

class TracedPartsTest {
  private static final NodeId NODE = new NodeId(1, 2);
  private static final int CACHE = 3;
  private static final EntryKey KEY = new EntryKey(CACHE, new byte[] {1});
  private static final CallTrace TRACE = new CallTrace("parent", "");
  private static final Topology TOPOLOGY =
      new Topology(
          1,
          List.of(new Member(NODE, 1, MemberProfile.ofCapacity(1))),
          List.of(NODE),
          List.of(new CacheGroup(1, 1, false, false)),
          List.of(new SegmentOwners(1, NODE, List.of(NODE), List.of())),
          List.of(new CacheDefinition(CACHE, "books", 0, 1, "")),
          CACHE);

  private final TracedParts parts = new TracedParts();

  private static OperationId id(long number) {
    return new OperationId(new SessionId(NODE, 1), number);
  }

  private static TracedOperation operation(long number, int attempt) {
    Command get = new EntryCommand.ReadEntry(KEY);
    return new TracedOperation(TRACE, new Operation(1, 0, 1, id(number), 0, attempt, get));
  }

  private static Reply reply(long number, Status status) {
    return new Reply(1, 0, 1, id(number), 1, status, false, null);
  }

  @Test
  void end_ofAnOperationThatWasRepeated_countsFromTheFirstAttempt_once() {
    assertTrue(parts.isEmpty());
    assertNull(parts.begin(operation(1, 1), TOPOLOGY, "n", 100));
    assertNull(parts.begin(operation(1, 2), TOPOLOGY, "n", 300));
    assertEquals(
        new CallTraces.Part(TRACE, "get", "books", "n", 900, null),
        parts.end(reply(1, Status.DONE), TOPOLOGY, "n", 1000));
    assertNull(parts.end(reply(1, Status.DONE), TOPOLOGY, "n", 1000));
    assertTrue(parts.isEmpty());
  }

  @Test
  void end_ofARefusal_namesIt_andAnUnknownCacheHasNoName() {
    parts.begin(operation(1, 1), null, "n", 0);
    assertEquals(
        new CallTraces.Part(TRACE, "get", "", "n", 1, "not_ready"),
        parts.end(reply(1, Status.NOT_READY), null, "n", 1));
  }

  @Test
  void begin_ofTooMany_givesTheOldestUp() {
    for (int i = 0; i < TracedParts.OPEN_MAX; i++) {
      assertNull(parts.begin(operation(i, 1), TOPOLOGY, "n", i));
    }
    CallTraces.Part oldest =
        requireNonNull(
            parts.begin(operation(TracedParts.OPEN_MAX, 1), TOPOLOGY, "n", TracedParts.OPEN_MAX));
    assertEquals("unanswered", oldest.error());
    assertEquals(TracedParts.OPEN_MAX, oldest.tookNanos());
    assertNull(parts.end(reply(0, Status.DONE), TOPOLOGY, "n", 0));
  }

  @Test
  void begin_afterAMinuteWithoutAnAnswer_givesTheOldestUp() {
    assertNull(parts.begin(operation(1, 1), TOPOLOGY, "n", 100));
    long end = 100 + TracedParts.OPEN_NANOS_MAX;
    assertNull(parts.begin(operation(2, 1), TOPOLOGY, "n", end));
    CallTraces.Part oldest = requireNonNull(parts.begin(operation(3, 1), TOPOLOGY, "n", end + 1));
    assertEquals("unanswered", oldest.error());
    assertEquals(TracedParts.OPEN_NANOS_MAX + 1, oldest.tookNanos());
    assertNull(parts.end(reply(1, Status.DONE), TOPOLOGY, "n", end + 2));
  }

  private static String name(Action action, Condition condition) {
    boolean isPut = action == Action.STORE;
    return TracedParts.name(
        new WriteEntry(
            KEY,
            action,
            condition,
            0,
            isPut ? new WriteEntry.Fields(-1, -1, 0, null, ByteString.of(new byte[0])) : null,
            false,
            false,
            () -> 0));
  }

  @Test
  void name_isThatOfHotRod() {
    assertEquals("put", name(Action.STORE, Condition.NONE));
    assertEquals("putIfAbsent", name(Action.STORE, Condition.ABSENT));
    assertEquals("replace", name(Action.STORE, Condition.PRESENT));
    assertEquals("replaceIfUnmodified", name(Action.STORE, Condition.VERSION));
    assertEquals("remove", name(Action.REMOVE, Condition.NONE));
    assertEquals("removeIfUnmodified", name(Action.REMOVE, Condition.VERSION));
    assertEquals("clear", TracedParts.name(new EntryCommand.ClearEntries(new CacheScope(1), true)));
  }

  @Test
  void trace_thatIsTooLong_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> new CallTrace("", ""));
    assertThrows(IllegalArgumentException.class, () -> new CallTrace("a".repeat(129), ""));
    assertThrows(IllegalArgumentException.class, () -> new CallTrace("a", "b".repeat(513)));
  }
}
