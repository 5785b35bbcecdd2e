package dev.isogrid.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PausesTest {
  private static final Pauses SECOND = new Pauses(3, false, Set.of(1));
  private static final Pauses ALL = new Pauses(3, true, Set.of());

  @Test
  void pauses_ofAGroup_holdThatOneOnly() {
    assertTrue(SECOND.holds(1));
    assertFalse(SECOND.holds(0));
    assertTrue(SECOND.isPaused(1));
    assertFalse(SECOND.isPaused(0));
    assertFalse(SECOND.isPaused(Pauses.ALL));
  }

  @Test
  void pauses_ofAll_holdEachGroup_thoughNoneIsPausedItself() {
    assertTrue(ALL.holds(7));
    assertFalse(ALL.isPaused(7));
    assertTrue(ALL.isPaused(Pauses.ALL));
  }

  @Test
  void with_aRequest_countsAChangeOnce() {
    Pauses first = SECOND.with(Map.of(0, true), 2);
    assertEquals(new Pauses(4, false, Set.of(0, 1)), first);
    assertSame(first, first.with(Map.of(0, true), 2));
    assertEquals(new Pauses(5, false, Set.of(1)), first.with(Map.of(0, false), 2));
    assertEquals(new Pauses(4, true, Set.of(1)), SECOND.with(Map.of(Pauses.ALL, true), 2));
  }

  @Test
  void with_aRequestForNoGroup_isVoid() {
    assertSame(SECOND, SECOND.with(Map.of(2, true), 2));
    assertSame(SECOND, SECOND.with(Map.of(-2, true), 2));
  }

  @Test
  void withSpeed_ofARequest_countsAChangeOnce_andIsKeptByPauses() {
    Pauses slow = SECOND.withSpeed(70_000L);
    assertEquals(new Pauses(4, false, Set.of(1), 70_000), slow);
    assertSame(slow, slow.withSpeed(70_000L));
    assertSame(slow, slow.withSpeed(null));
    assertEquals(70_000, slow.with(Map.of(0, true), 2).bytesPerSecondMax());
    assertEquals(new Pauses(5, false, Set.of(1)), slow.withSpeed(Pauses.AS_CONFIGURED));
  }

  @Test
  void pauses_withNegativeChanges_areRefused() {
    assertEquals(0, new Pauses(0, false, Set.of()).changes());
    assertThrows(IllegalArgumentException.class, () -> new Pauses(-1, false, Set.of()));
    assertThrows(IllegalArgumentException.class, () -> new Pauses(0, false, Set.of(), -1));
  }
}
