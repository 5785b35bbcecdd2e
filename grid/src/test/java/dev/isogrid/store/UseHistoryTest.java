package dev.isogrid.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.base.Seeds;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UseHistoryTest {
  private static final int SEGMENTS = 256;

  private static UseHistory full(int entries) {
    UseHistory history = new UseHistory(SEGMENTS, entries);
    while (history.isTooSmall(entries)) {
      history.reserve(entries);
    }
    return history;
  }

  @Test
  void rank_ofUnknownEntry_isLowest() {
    UseHistory history = full(1000);
    history.inserted(1, 2);

    assertEquals(0, history.rank(1, 3));
    assertTrue(history.rank(1, 2) > 0);
    assertEquals(0, UseHistory.rankClass(history.rank(1, 2)));
  }

  @Test
  void used_severalTimes_raisesTheClassUpToItsLimit() {
    UseHistory history = full(1000);
    history.inserted(1, 2);

    history.used(1, 2);
    int once = UseHistory.rankClass(history.rank(1, 2));
    for (int i = 0; i < 10; i++) {
      history.used(1, 2);
    }

    assertEquals(1, once);
    assertEquals(3, UseHistory.rankClass(history.rank(1, 2)));
  }

  @Test
  void inserted_again_isRecognized() {
    UseHistory history = full(1000);
    history.inserted(1, 2);
    history.inserted(1, 2);

    assertEquals(1, UseHistory.rankClass(history.rank(1, 2)));
  }

  @Test
  void used_amongManyUsedOnce_ranksAboveThem() {
    Seeds.runFirst(5, UseHistoryTest::rankFavourites);
  }

  private static void rankFavourites(Random random) {
    int entries = 10_000;
    UseHistory history = full(entries);
    int favourites = entries / 2;
    int first = random.nextInt(1 << 23);
    for (int round = 0; round < 4; round++) {
      for (int i = 0; i < favourites; i++) {
        history.used(i % SEGMENTS, first + i);
      }
      for (int i = 0; i < entries; i++) {
        history.inserted(random.nextInt(SEGMENTS), random.nextInt(1 << 23) ^ 1 << 23);
      }
    }
    int kept = 0;
    for (int i = 0; i < favourites; i++) {
      kept += UseHistory.rankClass(history.rank(i % SEGMENTS, first + i)) > 0 ? 1 : 0;
    }
    assertTrue(kept > favourites * 0.9, "kept=" + kept);
  }

  @Test
  void bytes_ofFullTable_areLessThanTwoAnEntry() {
    for (int entries : new int[] {1000, 12_345, 1_000_000}) {
      assertTrue(full(entries).bytes() < 2L * entries, "entries=" + entries);
    }
  }

  @Test
  void reserve_ofMoreEntries_keepsWhatIsKnown() {
    UseHistory history = new UseHistory(SEGMENTS, Long.MAX_VALUE);
    for (int i = 0; i < 30; i++) {
      history.inserted(i, i);
      history.used(i, i);
    }
    int before = known(history);
    for (int entries = 1; entries < 100_000; entries *= 2) {
      history.reserve(entries);
    }

    assertEquals(before, known(history));
    assertFalse(history.isTooSmall(50_000));
    assertTrue(history.bytes() < 4 * 65_536);
  }

  private static int known(UseHistory history) {
    int known = 0;
    for (int i = 0; i < 30; i++) {
      known += history.rank(i, i) > 0 ? 1 : 0;
    }
    return known;
  }

  @Test
  void judge_whenWhatIsMissedWasUsedLately_turnsToRecencyAndForATrialBack() {
    UseHistory history = full(1000);
    history.judge();
    miss(history);
    assertFalse(history.isRecencyMode());

    history.judge();
    assertTrue(history.isRecencyMode());

    int judgements = 0;
    while (history.isRecencyMode()) {
      history.judge();
      judgements++;
    }
    assertEquals(64, judgements);
  }

  /** Entries that are evicted and asked for again at once. */
  private static void miss(UseHistory history) {
    for (int i = 0; i < 100; i++) {
      history.inserted(i, i);
      history.inserted(i, i);
    }
  }

  @Test
  void judge_whenOldEntriesAreHit_keepsTheFrequencyMode() {
    UseHistory history = full(1000);
    history.judge();
    for (int i = 0; i < 100; i++) {
      history.used(i, i);
    }
    history.judge();

    assertFalse(history.isRecencyMode());
  }
}
