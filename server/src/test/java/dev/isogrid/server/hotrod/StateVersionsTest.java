package dev.isogrid.server.hotrod;

import static dev.isogrid.server.hotrod.StateVersions.Fate.KEEP;
import static dev.isogrid.server.hotrod.StateVersions.Fate.NO_ROOM;
import static dev.isogrid.server.hotrod.StateVersions.Fate.TELL;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.codec.ByteString;
import dev.isogrid.server.net.ByteBudget;
import dev.isogrid.wire.Opcodes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The changes that are sent beside a state. */
class StateVersionsTest {
  private final ByteBudget budget = new ByteBudget("bytes", 10_000, 0, () -> 0);
  private final ByteBudget.Share share = budget.newShare();
  private final StateVersions versions =
      new StateVersions(new EventLimits(2, 1 << 20, false), share);

  private static ByteString key(int key) {
    return ByteString.of(new byte[] {(byte) key});
  }

  private static ClientEvent change(int segment, int key, long version) {
    return new ClientEvent(Opcodes.EVENT_MODIFIED, segment, key(key), null, null, version);
  }

  private static List<Long> versionsOf(Iterable<ClientEvent> events) {
    List<Long> all = new ArrayList<>();
    events.forEach(event -> all.add(event.version()));
    return all;
  }

  @Test
  void change_beforeItsSegmentIsTold_isPartOfTheState() {
    assertEquals(KEEP, versions.changed(change(0, 1, 5)));
    versions.begin(0);
    versions.tryTell(key(1), 5);
    assertEquals(List.of(), versionsOf(versions.end(false)));
    assertEquals(KEEP, versions.changed(change(1, 1, 5)));
    assertEquals(TELL, versions.changed(change(0, 1, 6)));
  }

  @Test
  void change_whileItsSegmentIsTold_isToldIfItIsNewer() {
    versions.begin(0);
    assertEquals(KEEP, versions.changed(change(0, 1, 5)));
    assertEquals(KEEP, versions.changed(change(0, 2, 7)));
    versions.tryTell(key(1), 5);
    versions.tryTell(key(2), 6);
    assertEquals(List.of(7L), versionsOf(versions.end(true)));
    assertEquals(TELL, versions.changed(change(0, 1, 8)));
  }

  @Test
  void change_whileItsSegmentIsTold_needsRoom() {
    versions.begin(0);
    assertEquals(KEEP, versions.changed(change(0, 1, 1)));
    assertEquals(KEEP, versions.changed(change(0, 1, 2)));
    assertEquals(NO_ROOM, versions.changed(change(0, 1, 3)));
  }

  @Test
  void olderChange_ofAnotherNodeAfterTheState_isNotTold() {
    versions.begin(0);
    versions.tryTell(key(1), 5);
    versions.tryTell(key(2), 9);
    versions.end(true);
    assertEquals(KEEP, versions.changed(change(0, 1, 4)));
    assertEquals(TELL, versions.changed(change(0, 3, 6)));
    assertEquals(TELL, versions.changed(change(0, 1, 7)));
    assertEquals(KEEP, versions.changed(change(0, 2, 9)));
    assertEquals(TELL, versions.changed(change(0, 2, 10)));
    assertEquals(TELL, versions.changed(change(0, 1, 11)));
  }

  @Test
  void forget_letsAllChangesBeTold() {
    versions.begin(0);
    versions.tryTell(key(1), 5);
    versions.end(true);
    versions.forget();
    assertEquals(TELL, versions.changed(change(0, 1, 4)));
    assertEquals(TELL, versions.changed(change(9, 1, 4)));
  }

  @Test
  void memory_isCountedUntilItIsNotNeeded() {
    versions.begin(0);
    assertEquals(true, versions.tryTell(key(1), 5));
    assertEquals(KEEP, versions.changed(change(0, 2, 4)));
    long atOnce = budget.used();
    assertEquals(List.of(4L), versionsOf(versions.end(true)));
    assertEquals(true, budget.used() > 0 && budget.used() < atOnce);
    versions.forget();
    assertEquals(0, budget.used());
    versions.begin(1);
    for (int i = 0; i < 100 && versions.tryTell(key(i), i); i++) {
      assertEquals(true, budget.used() <= budget.max());
    }
    assertEquals(false, versions.tryTell(key(100), 100));
    versions.clear();
    assertEquals(0, budget.used());
  }
}
