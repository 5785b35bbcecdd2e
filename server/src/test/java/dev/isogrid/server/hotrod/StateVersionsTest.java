package dev.isogrid.server.hotrod;

import static dev.isogrid.server.hotrod.StateVersions.Fate.KEEP;
import static dev.isogrid.server.hotrod.StateVersions.Fate.NO_ROOM;
import static dev.isogrid.server.hotrod.StateVersions.Fate.TELL;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.codec.ByteString;
import dev.isogrid.wire.Opcodes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which changes are told beside a state. */
class StateVersionsTest {
  private final StateVersions versions = new StateVersions(new EventLimits(2, 1 << 20, false));

  private static ByteString key(int key) {
    return ByteString.of(new byte[] {(byte) key});
  }

  private static ClientEvent change(int segment, int key, long version) {
    return new ClientEvent(Opcodes.EVENT_MODIFIED, segment, key(key), null, version);
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
    versions.tell(key(1), 5);
    assertEquals(List.of(), versionsOf(versions.end(false)));
    assertEquals(KEEP, versions.changed(change(1, 1, 5)));
    assertEquals(TELL, versions.changed(change(0, 1, 6)));
  }

  @Test
  void change_whileItsSegmentIsTold_isToldIfItIsNewer() {
    versions.begin(0);
    assertEquals(KEEP, versions.changed(change(0, 1, 5)));
    assertEquals(KEEP, versions.changed(change(0, 2, 7)));
    versions.tell(key(1), 5);
    versions.tell(key(2), 6);
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
    versions.tell(key(1), 5);
    versions.tell(key(2), 9);
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
    versions.tell(key(1), 5);
    versions.end(true);
    versions.forget();
    assertEquals(TELL, versions.changed(change(0, 1, 4)));
    assertEquals(TELL, versions.changed(change(9, 1, 4)));
  }
}
