package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheEvent;
import dev.isogrid.codec.ByteString;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChangeHistoryTest {
  private final ChangeHistory history = new ChangeHistory();

  private static FollowedChange change(long seq, int valueBytes) {
    return new FollowedChange(
        CacheEvent.Kind.MODIFIED,
        ByteString.of(new byte[] {1}),
        ByteString.of(new byte[valueBytes]),
        null,
        true,
        seq);
  }

  private List<Long> after(long seq, long bytesMax) {
    return history.after(seq, bytesMax).stream().map(FollowedChange::seq).toList();
  }

  @Test
  void covers_beforeItBegan_isFalse() {
    assertFalse(history.covers(0));
    assertFalse(history.isOpen());
    history.begin(10);
    assertTrue(history.isOpen());
    assertFalse(history.covers(9));
    assertTrue(history.covers(10));
  }

  @Test
  void after_aPlace_hasWhatCameBehindIt() {
    history.begin(10);
    history.add(change(11, 1));
    history.add(change(13, 1));
    assertEquals(List.of(11L, 13L), after(10, Long.MAX_VALUE));
    assertEquals(List.of(13L), after(11, Long.MAX_VALUE));
    assertEquals(List.of(), after(13, Long.MAX_VALUE));
  }

  @Test
  void after_withFewBytes_doesNotPartChangesOfOnePlace() {
    history.begin(0);
    history.add(change(1, 100));
    history.add(change(1, 100));
    history.add(change(2, 100));
    assertEquals(List.of(1L, 1L), after(0, 1));
    assertEquals(List.of(2L), after(1, 1));
  }

  @Test
  void add_beyondTheNumber_forgetsTheOldest() {
    history.begin(0);
    for (int seq = 1; seq <= ChangeHistory.CHANGES_MAX + 5; seq++) {
      history.add(change(seq, 1));
    }
    assertFalse(history.covers(4));
    assertTrue(history.covers(5));
    assertEquals(ChangeHistory.CHANGES_MAX, after(5, Long.MAX_VALUE).size());
  }

  @Test
  void add_beyondTheBytes_keepsTheLast() {
    history.begin(0);
    history.add(change(1, 10));
    history.add(change(2, (int) ChangeHistory.BYTES_MAX + 1));
    assertFalse(history.covers(0));
    assertEquals(List.of(2L), after(1, Long.MAX_VALUE));
  }

  @Test
  void add_ofManyOfOnePlace_keepsThemTogetherUpToAnotherBound() {
    history.begin(0);
    history.add(change(1, 10));
    int beyond = (int) (2 * ChangeHistory.BYTES_MAX / 1000);
    for (int i = 0; i < beyond; i++) {
      history.add(change(2, 1000));
    }
    assertFalse(history.covers(0));
    assertTrue(history.covers(1));
    assertEquals(beyond, after(1, 1).size());
    for (int i = 0; i < ChangeHistory.PLACE_BYTES_MAX / 1000; i++) {
      history.add(change(2, 1000));
    }
    assertFalse(history.covers(1));
    assertTrue(history.covers(2));
  }

  @Test
  void end_keepsWhatThereIs() {
    history.begin(0);
    history.add(change(3, 1));
    history.end(5);
    assertFalse(history.isOpen());
    assertEquals(5, history.upTo(99));
    assertTrue(history.covers(5));
    assertFalse(history.covers(6));
    assertEquals(List.of(3L), after(0, Long.MAX_VALUE));
  }
}
