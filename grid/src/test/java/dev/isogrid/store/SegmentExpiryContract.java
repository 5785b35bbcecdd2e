package dev.isogrid.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Expiry;
import dev.isogrid.base.Seeds;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A segment's knowledge of the ends of its entries, and its searches for them.
 *
 * @param <K> the stored form of keys
 * @param <V> the stored form of values
 */
abstract class SegmentExpiryContract<K, V> {
  private static final int ENTRIES = 20_000;
  private static final int STRIPES_MIN = ENTRIES / ExpiryStripes.PLACES;
  private static final long HOUR = 3_600_000;

  final SegmentFixture<K, V> fixture;

  SegmentExpiryContract(TextKind<K, V> kind) {
    fixture = new SegmentFixture<>(kind);
  }

  /** How many stripes were ever looked through. */
  abstract long stripesVisited();

  private long visited() {
    fixture.segment.lock();
    try {
      return stripesVisited();
    } finally {
      fixture.segment.unlock();
    }
  }

  private static Expiry lifespan(long millis) {
    return new Expiry(millis, Expiry.UNLIMITED);
  }

  private static Expiry maxIdle(long millis) {
    return new Expiry(Expiry.UNLIMITED, millis);
  }

  private long earliest() {
    return fixture.segment.earliestExpiryMillis();
  }

  private int reap() {
    int[] removed = {0};
    int next = fixture.removeExpired(0, Integer.MAX_VALUE, entry -> removed[0]++);
    assertEquals(-1, next);
    fixture.checkInvariants();
    return removed[0];
  }

  @Test
  void earliestExpiry_ofImmortals_isNever() {
    assertEquals(Long.MAX_VALUE, earliest());
    fixture.store("a", "1");
    fixture.store("b", "2", Expiry.NEVER, 5, "a/b");
    assertEquals(Long.MAX_VALUE, earliest());
  }

  @Test
  void earliestExpiry_ofMixedEntries_isTheFirstEnd() {
    long now = fixture.env.nowMillis();
    fixture.store("a", "1", lifespan(50));
    assertEquals(now + 50, earliest());
    fixture.store("b", "1", maxIdle(20));
    assertEquals(now + 20, earliest());
    fixture.store("c", "1", new Expiry(30, 10));
    assertEquals(now + 10, earliest());
    fixture.store("d", "1");
    fixture.store("e", "1", lifespan(Long.MAX_VALUE));
    assertEquals(now + 10, earliest());
  }

  @Test
  void earliestExpiry_afterReaping_isThatOfTheRest() {
    long now = fixture.env.nowMillis();
    fixture.store("a", "1", lifespan(10));
    fixture.store("b", "1", lifespan(30));
    fixture.env.moveClock(10);

    assertEquals(1, reap());

    assertEquals(now + 30, earliest());
    fixture.remove("b");
    assertEquals(Long.MAX_VALUE, earliest());
  }

  @Test
  void earliestExpiry_ofUsedEntry_movesOnWhenReaped() {
    fixture.store("a", "1", maxIdle(10));
    fixture.env.moveClock(9);
    fixture.read("a");
    fixture.env.moveClock(1);

    assertEquals(0, reap());

    assertEquals(fixture.env.nowMillis() + 9, earliest());
  }

  @Test
  void earliestExpiry_whenTheClockGoesBack_isNotTooLate() {
    fixture.store("a", "1", maxIdle(10));
    fixture.env.moveClock(-7);
    fixture.read("a");

    assertEquals(fixture.env.nowMillis() + 10, earliest());
    fixture.checkInvariants();
    fixture.env.moveClock(10);
    assertEquals(1, reap());
  }

  @Test
  void removeExpired_whenFewAreDue_looksAtTheirStripesOnly() {
    for (int i = 0; i < ENTRIES; i++) {
      fixture.store("k" + i, "v", i % 4 == 0 ? Expiry.NEVER : lifespan(HOUR));
    }
    for (int i = 0; i < 3; i++) {
      fixture.store("short" + i, "v", lifespan(10));
    }
    assertEquals(0, reap());
    assertEquals(0, visited(), "nothing is due");
    fixture.env.moveClock(10);

    assertEquals(3, reap());

    assertTrue(visited() <= 3, "visits: " + visited());
    assertEquals(0, reap());
    assertTrue(visited() <= 3, "visits: " + visited());
  }

  @Test
  void removeExpired_afterGrowth_looksAtFewStripesOften() {
    for (int i = 0; i < ENTRIES; i++) {
      fixture.store("k" + i, "v", lifespan(i == 0 ? 10 : HOUR));
    }
    fixture.env.moveClock(10);
    assertEquals(1, reap());
    assertTrue(visited() < STRIPES_MIN / 2, "visits: " + visited());
    long visited = visited();
    fixture.env.moveClock(10);

    assertEquals(0, reap());

    assertEquals(visited, visited(), "their times are right now");
  }

  @Test
  void removeExpired_inStepsOfMixedLifespans_removesAllThatIsDue() {
    Seeds.run(3, this::reapMixed);
  }

  private void reapMixed(Random random) {
    fixture.clear();
    Map<String, Long> ends = new HashMap<>();
    for (int i = 0; i < 2_000; i++) {
      long millis = random.nextInt(1, 500);
      fixture.store("k" + i, "v", lifespan(millis));
      ends.put("k" + i, fixture.env.nowMillis() + millis);
    }
    while (!ends.isEmpty()) {
      fixture.env.moveClock(random.nextInt(1, 60));
      long now = fixture.env.nowMillis();
      for (int place = 0; place >= 0; ) {
        place =
            fixture.removeExpired(
                place,
                random.nextInt(1, 300),
                entry -> {
                  String key = fixture.kind.keyText(entry.key());
                  assertTrue(Objects.requireNonNull(ends.remove(key)) <= now);
                });
      }
      ends.forEach((key, end) -> assertTrue(end > now, () -> "still there: " + key));
      ends.keySet().removeIf(key -> random.nextInt(8) == 0 && fixture.remove(key));
      fixture.checkInvariants();
      assertTrue(earliest() > now);
    }
    assertEquals(0, fixture.segment.mortalCount());
  }

  @Test
  void expiredEntry_thatNobodyReaped_isNotRead() {
    for (int i = 0; i < 500; i++) {
      fixture.store("k" + i, "v", lifespan(1 + i));
    }
    for (int passed = 1; passed <= 500; passed++) {
      fixture.env.moveClock(1);
      assertNull(fixture.read("k" + (passed - 1)));
      if (passed % 100 == 0) {
        reap();
        assertEquals(500 - passed, fixture.segment.count());
      }
    }
  }
}
