package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.codec.ByteString;
import dev.isogrid.server.net.ByteBudget;
import dev.isogrid.wire.Opcodes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventBacklogTest {
  private final ByteBudget budget = new ByteBudget("bytes", 1 << 20, 0, () -> 0);
  private final ByteBudget.Share share = budget.newShare();

  private static ClientEvent event(int operation, int key, long version) {
    return new ClientEvent(
        operation, 0, ByteString.of(new byte[] {(byte) key}), null, null, version);
  }

  private static List<String> drained(EventBacklog backlog) {
    List<String> all = new ArrayList<>();
    for (ClientEvent event = backlog.poll(); event != null; event = backlog.poll()) {
      all.add("%x %d".formatted(event.operation(), event.version()));
    }
    return all;
  }

  @Test
  void tryAdd_beyondTheNumberOfEvents_refuses() {
    EventBacklog backlog = new EventBacklog(new EventLimits(2, 1 << 20, false), share);
    assertTrue(backlog.tryAdd(event(Opcodes.EVENT_CREATED, 1, 1)));
    assertTrue(backlog.tryAdd(event(Opcodes.EVENT_MODIFIED, 1, 2)));
    assertFalse(backlog.tryAdd(event(Opcodes.EVENT_MODIFIED, 1, 3)));
    assertEquals(List.of("60 1", "61 2"), drained(backlog));
    assertEquals(0, backlog.bytes());
  }

  @Test
  void tryAdd_beyondTheBytes_refuses() {
    EventBacklog backlog = new EventBacklog(new EventLimits(1000, 100, false), share);
    assertTrue(backlog.tryAdd(event(Opcodes.EVENT_CREATED, 1, 1)));
    assertTrue(backlog.tryAdd(event(Opcodes.EVENT_CREATED, 2, 2)));
    assertFalse(backlog.tryAdd(event(Opcodes.EVENT_CREATED, 3, 3)));
  }

  @Test
  void tryAdd_whereEventsOfAKeyBecomeOne_keepsTheLast() {
    EventBacklog backlog = new EventBacklog(new EventLimits(2, 1 << 20, true), share);
    assertTrue(backlog.tryAdd(event(Opcodes.EVENT_CREATED, 1, 1)));
    assertTrue(backlog.tryAdd(event(Opcodes.EVENT_MODIFIED, 2, 2)));
    assertTrue(backlog.tryAdd(event(Opcodes.EVENT_MODIFIED, 1, 3)));
    assertTrue(backlog.tryAdd(event(Opcodes.EVENT_REMOVED, 2, 4)));
    assertEquals(2, backlog.count());
    assertFalse(backlog.tryAdd(event(Opcodes.EVENT_REMOVED, 3, 5)));
    assertEquals(List.of("60 3", "62 4"), drained(backlog));
    assertNull(backlog.poll());
    assertEquals(0, backlog.bytes());
  }
}
