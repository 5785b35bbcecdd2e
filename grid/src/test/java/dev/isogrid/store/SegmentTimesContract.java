package dev.isogrid.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.Expiry;
import dev.isogrid.store.SegmentFixture.Shown;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Entries whose times are those of another node, and entries that are used all at once.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
abstract class SegmentTimesContract<K, V> {
  private static final Expiry LIFESPAN_10 = new Expiry(10, Expiry.UNLIMITED);
  private static final Expiry IDLE_10 = new Expiry(Expiry.UNLIMITED, 10);

  final SegmentFixture<K, V> fixture;
  final Segment<K, V> segment;

  SegmentTimesContract(TextKind<K, V> kind) {
    fixture = new SegmentFixture<>(kind);
    segment = fixture.segment;
  }

  @AfterEach
  void segment_afterEachTest_keepsItsInvariants() {
    fixture.checkInvariants();
  }

  private void assertCounts(int count, int mortalCount) {
    assertEquals(count, segment.count(), "count");
    assertEquals(mortalCount, segment.mortalCount(), "mortal count");
  }

  @Test
  void store_withTimesOfAnotherNode_keepsThem() {
    long now = fixture.env.nowMillis();
    Expiry both = new Expiry(1000, 500);

    long first = fixture.storeAt("a", "1", both, now - 100, now - 50);
    assertEquals(
        new Shown("1", first, now - 100, 1000, now - 50, 500, 0, null), fixture.locate("a"));
    assertEquals(now + 450, segment.earliestExpiryMillis());

    long second = fixture.storeAt("a", "2", both, now - 999, now + 7);
    assertEquals(
        new Shown("2", second, now - 999, 1000, now + 7, 500, 0, null), fixture.locate("a"));
    assertEquals(Segment.Found.LIVE, fixture.find("a"));
    fixture.env.moveClock(1);
    assertEquals(Segment.Found.EXPIRED, fixture.find("a"));

    long third = fixture.store("a", "3", both);
    assertEquals(new Shown("3", third, now + 1, 1000, now + 1, 500, 0, null), fixture.locate("a"));
  }

  @Test
  void store_withTimesOfImmortalEntry_ignoresThem() {
    long version = fixture.storeAt("a", "1", Expiry.NEVER, 5, 6);

    assertEquals(new Shown("1", version, -1, -1, -1, -1, 0, null), fixture.locate("a"));
    assertEquals(Long.MAX_VALUE, segment.earliestExpiryMillis());
  }

  @Test
  void store_withTimesThatAreOver_isExpiredAtOnce() {
    long now = fixture.env.nowMillis();
    fixture.storeAt("a", "1", LIFESPAN_10, now - 10, now - 10);
    fixture.storeAt("b", "1", IDLE_10, now, now - 10);

    assertEquals(Segment.Found.EXPIRED, fixture.find("a"));
    assertEquals(Segment.Found.EXPIRED, fixture.find("b"));
    assertEquals(-1, fixture.removeExpired(0, Integer.MAX_VALUE, entry -> {}));
    assertCounts(0, 0);
  }

  @Test
  void touch_withTimesOfAnotherNode_keepsThem() {
    long version = fixture.store("a", "1", IDLE_10);
    long now = fixture.env.nowMillis();

    fixture.touchAt("a", new Expiry(20, 10), now - 6, now - 3);

    assertEquals(new Shown("1", version, now - 6, 20, now - 3, 10, 0, null), fixture.locate("a"));
    assertEquals(now + 7, segment.earliestExpiryMillis());
  }

  @Test
  void touchIdle_ofAllKinds_setsLastUsesOnly() {
    fixture.store("ever", "1");
    fixture.store("flags", "1", Expiry.NEVER, 7, "a/b");
    fixture.store("lifespan", "1", LIFESPAN_10);
    fixture.store("idle", "1", IDLE_10);
    fixture.store("both", "1", new Expiry(50, 10));
    fixture.store("large", "x".repeat(10_000), new Expiry(50, 10));
    Map<String, Shown> before = fixture.entries();
    fixture.env.moveClock(20);
    long now = fixture.env.nowMillis();

    fixture.touchIdle();

    Map<String, Shown> expected = new HashMap<>(before);
    expected.replaceAll((_, entry) -> entry.maxIdleMillis() < 0 ? entry : usedAt(entry, now));
    assertEquals(expected, fixture.entries());
    assertCounts(6, 4);
    assertEquals(Segment.Found.LIVE, fixture.find("idle"));
    assertEquals(Segment.Found.LIVE, fixture.find("both"));
    assertEquals(Segment.Found.EXPIRED, fixture.find("lifespan"));
  }

  private static Shown usedAt(Shown entry, long millis) {
    return new Shown(
        entry.value(),
        entry.version(),
        entry.createdMillis(),
        entry.lifespanMillis(),
        millis,
        entry.maxIdleMillis(),
        entry.clientFlags(),
        entry.mediaType());
  }

  @Test
  void touchIdle_ofManyEntries_movesTheirEndOn() {
    for (int i = 0; i < 3000; i++) {
      fixture.store("idle" + i, "v" + i, IDLE_10);
      fixture.store("ever" + i, "v" + i);
    }
    fixture.env.moveClock(10);
    long now = fixture.env.nowMillis();

    fixture.touchIdle();

    fixture.checkInvariants();
    assertEquals(now + 10, segment.earliestExpiryMillis());
    fixture.env.moveClock(9);
    assertEquals(-1, fixture.removeExpired(0, Integer.MAX_VALUE, entry -> {}));
    assertCounts(6000, 3000);
    fixture.env.moveClock(1);
    assertEquals(-1, fixture.removeExpired(0, Integer.MAX_VALUE, entry -> {}));
    assertCounts(3000, 0);
  }

  @Test
  void touchIdle_whenTheClockIsSetBack_setsTheEarlierTime() {
    fixture.store("a", "1", IDLE_10);
    fixture.env.moveClock(-5);

    fixture.touchIdle();

    assertEquals(fixture.env.nowMillis() + 10, segment.earliestExpiryMillis());
  }

  @Test
  void touchIdle_withoutMortals_doesNothing() {
    fixture.store("a", "1");

    fixture.touchIdle();

    assertEquals(Long.MAX_VALUE, segment.earliestExpiryMillis());
    assertCounts(1, 0);
  }
}
