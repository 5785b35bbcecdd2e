package dev.isogrid.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Expiry;
import dev.isogrid.store.SegmentFixture.Shown;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of every kind of segment. The structure is checked after each test.
 *
 * @param <K> the stored form of keys
 * @param <V> the stored form of values
 */
abstract class SegmentContract<K, V> {
  private static final Expiry LIFESPAN_10 = new Expiry(10, Expiry.UNLIMITED);
  private static final Expiry IDLE_10 = new Expiry(Expiry.UNLIMITED, 10);

  final SegmentFixture<K, V> fixture;
  final Segment<K, V> segment;

  SegmentContract(TextKind<K, V> kind) {
    fixture = new SegmentFixture<>(kind);
    segment = fixture.segment;
  }

  @AfterEach
  void segment_afterEachTest_keepsItsInvariants() {
    fixture.checkInvariants();
  }

  final Shown shown(@Nullable Shown shown) {
    return Objects.requireNonNull(shown, "no entry");
  }

  final void assertCounts(int count, int mortalCount) {
    assertEquals(count, segment.count(), "count");
    assertEquals(mortalCount, segment.mortalCount(), "mortal count");
  }

  @Test
  void read_ofEmptySegment_findsNothing() {
    assertEquals(Segment.Found.NONE, fixture.find("a"));
    assertNull(fixture.locate("a"));
    assertEquals(Map.of(), fixture.entries());
    assertCounts(0, 0);
  }

  @Test
  void store_ofNewKey_isReadWithItsVersionAndNoTimes() {
    long version = fixture.store("a", "1");

    Shown expected = new Shown("1", version, -1, -1, -1, -1, 0, null);
    assertEquals(Segment.Found.LIVE, fixture.find("a"));
    assertEquals(expected, fixture.read("a"));
    assertEquals(expected, fixture.locate("a"));
    assertEquals(Segment.Found.NONE, fixture.find("b"));
    assertCounts(1, 0);
  }

  @Test
  void store_ofEmptyKeyAndValue_isRead() {
    fixture.store("", "");

    assertEquals("", shown(fixture.read("")).value());
  }

  @Test
  void store_ofPresentKey_replacesTheEntry() {
    long first = fixture.store("a", "1", LIFESPAN_10, 5, "text/plain");
    long second = fixture.store("a", "2");

    assertTrue(second > first);
    assertEquals(new Shown("2", second, -1, -1, -1, -1, 0, null), fixture.read("a"));
    assertCounts(1, 0);
  }

  @Test
  void nextVersion_ofEpoch_countsFromOneWithTheEpochAbove() {
    long epochBits = (long) SegmentFixture.EPOCH << Segment.SEQUENCE_BITS;

    assertEquals(epochBits + 1, fixture.store("a", "1"));
    assertEquals(epochBits + 2, fixture.store("b", "1"));
    fixture.clear();
    assertEquals(epochBits + 3, fixture.store("a", "1"));
    assertEquals(epochBits + 3, shown(fixture.read("a")).version());
  }

  @Test
  void remove_ofPresentKey_removesThatEntryOnly() {
    fixture.store("a", "1");
    fixture.store("b", "2", LIFESPAN_10);

    assertTrue(fixture.remove("b"));

    assertEquals(Segment.Found.NONE, fixture.find("b"));
    assertEquals("1", shown(fixture.read("a")).value());
    assertFalse(fixture.remove("b"));
    assertCounts(1, 0);
  }

  @Test
  void clear_withEntries_removesAll() {
    for (int i = 0; i < 100; i++) {
      fixture.store("k" + i, "v", i % 2 == 0 ? LIFESPAN_10 : Expiry.NEVER);
    }
    assertCounts(100, 50);

    fixture.clear();

    assertCounts(0, 0);
    assertEquals(Segment.Found.NONE, fixture.find("k1"));
    fixture.store("k1", "again");
    assertEquals("again", shown(fixture.read("k1")).value());
  }

  @Test
  void store_ofManyKeys_keepsAllWhileTheTableGrows() {
    int count = 10_000;
    for (int i = 0; i < count; i++) {
      fixture.store("k" + i, "v" + i);
      assertEquals("v" + i / 2, shown(fixture.read("k" + i / 2)).value());
    }

    assertCounts(count, 0);
    for (int i = 0; i < count; i++) {
      assertEquals("v" + i, shown(fixture.read("k" + i)).value());
    }
    assertEquals(Segment.Found.NONE, fixture.find("k" + count));
  }

  @Test
  void remove_ofManyKeysInRandomOrder_leavesTheOthers() {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      keys.add("k" + i);
      fixture.store("k" + i, "v" + i);
    }
    Collections.shuffle(keys, new Random(1));

    while (!keys.isEmpty()) {
      assertTrue(fixture.remove(keys.removeLast()));
      assertEquals(new HashSet<>(keys), fixture.entries().keySet());
      fixture.checkInvariants();
      keys.forEach(key -> assertEquals(Segment.Found.LIVE, fixture.find(key)));
    }
    assertCounts(0, 0);
  }

  @Test
  void entries_whoseKeysHaveOneHash_areKeptApart() {
    List<String> keys = fixture.kind.keysOfOneHash();
    keys.forEach(key -> fixture.store(key, "of " + key));
    keys.forEach(key -> assertEquals("of " + key, shown(fixture.read(key)).value()));

    for (String gone : keys) {
      assertTrue(fixture.remove(gone));
      assertEquals(Segment.Found.NONE, fixture.find(gone));
      keys.stream()
          .filter(key -> !key.equals(gone))
          .forEach(key -> assertEquals("of " + key, shown(fixture.read(key)).value()));
      fixture.checkInvariants();
      fixture.store(gone, "of " + gone);
    }
  }

  @Test
  void read_ofEntryWithLifespan_endsWithItWhateverIsRead() {
    fixture.store("a", "1", LIFESPAN_10);
    long created = fixture.env.nowMillis();
    fixture.env.moveClock(9);

    assertEquals(created, shown(fixture.read("a")).createdMillis());
    assertEquals(10, shown(fixture.read("a")).lifespanMillis());
    assertEquals(-1, shown(fixture.read("a")).lastUsedMillis());
    fixture.env.moveClock(1);

    assertEquals(Segment.Found.EXPIRED, fixture.find("a"));
    assertNull(fixture.read("a"));
    assertEquals("1", shown(fixture.locate("a")).value());
    assertCounts(1, 1);
  }

  @Test
  void read_ofEntryWithMaxIdle_postponesItsEnd() {
    fixture.store("a", "1", IDLE_10);
    long created = fixture.env.nowMillis();
    for (int i = 1; i <= 5; i++) {
      fixture.env.moveClock(9);
      assertEquals(Segment.Found.LIVE, fixture.find("a"));
      assertEquals(created + i * 9L, shown(fixture.locate("a")).lastUsedMillis());
      assertEquals(created, shown(fixture.locate("a")).createdMillis());
    }
    fixture.env.moveClock(9);
    assertNotNull(fixture.locate("a")); // looking for a write does not count as a use
    fixture.env.moveClock(1);

    assertEquals(Segment.Found.EXPIRED, fixture.find("a"));
  }

  @Test
  void read_ofEntryWithBothLimits_endsWithTheFirst() {
    fixture.store("a", "1", new Expiry(25, 10));
    fixture.store("b", "1", new Expiry(25, 10));

    fixture.env.moveClock(9);
    assertEquals(Segment.Found.LIVE, fixture.find("a"));
    fixture.env.moveClock(9);
    assertEquals(Segment.Found.LIVE, fixture.find("a"));
    assertEquals(Segment.Found.EXPIRED, fixture.find("b"));
    fixture.env.moveClock(7);
    assertEquals(Segment.Found.EXPIRED, fixture.find("a"));
  }

  @Test
  void read_ofEntryWithLimitZero_isExpiredAtOnce() {
    fixture.store("a", "1", new Expiry(0, Expiry.UNLIMITED));
    fixture.store("b", "1", new Expiry(Expiry.UNLIMITED, 0));

    assertEquals(Segment.Found.EXPIRED, fixture.find("a"));
    assertEquals(Segment.Found.EXPIRED, fixture.find("b"));
  }

  @Test
  void read_whenTheClockIsSetBack_findsTheEntry() {
    fixture.store("a", "1", new Expiry(10, 9));
    fixture.env.moveClock(-1000);

    assertEquals(Segment.Found.LIVE, fixture.find("a"));
  }

  @Test
  void read_ofEntryWithLongestLimits_findsIt() {
    fixture.store("a", "1", new Expiry(Long.MAX_VALUE, Long.MAX_VALUE));
    fixture.env.moveClock(TimeUnit.DAYS.toMillis(100_000));

    assertEquals(Segment.Found.LIVE, fixture.find("a"));
    assertEquals(Long.MAX_VALUE, shown(fixture.read("a")).lifespanMillis());
  }

  @Test
  void touch_withOtherTimes_keepsValueVersionAndAttributes() {
    long version = fixture.store("a", "1", new Expiry(10, 5), 9, "text/x-mine");
    fixture.env.moveClock(3);
    long now = fixture.env.nowMillis();

    fixture.touch("a", new Expiry(20, Expiry.UNLIMITED));

    Shown expected = new Shown("1", version, now, 20, -1, -1, 9, "text/x-mine");
    assertEquals(expected, fixture.locate("a"));
    assertCounts(1, 1);
    fixture.env.moveClock(19);
    assertEquals(Segment.Found.LIVE, fixture.find("a"));
    fixture.env.moveClock(1);
    assertEquals(Segment.Found.EXPIRED, fixture.find("a"));
  }

  @Test
  void touch_betweenMortalAndImmortal_countsMortals() {
    fixture.store("a", "1");
    fixture.touch("a", IDLE_10);
    assertCounts(1, 1);
    assertEquals(fixture.env.nowMillis(), shown(fixture.read("a")).lastUsedMillis());

    fixture.touch("a", Expiry.NEVER);
    assertCounts(1, 0);
    assertEquals(-1, shown(fixture.read("a")).createdMillis());
  }

  @Test
  void store_withAttributes_keepsThem() {
    fixture.store("flags", "1", Expiry.NEVER, 0x80000001, null);
    fixture.store("known", "1", Expiry.NEVER, 0, "application/json");
    fixture.store("custom", "1", Expiry.NEVER, 0, "text/plain; charset=latin1");
    fixture.store("all", "1", new Expiry(10, 5), -1, "a/b");

    assertEquals(0x80000001, shown(fixture.read("flags")).clientFlags());
    assertNull(shown(fixture.read("flags")).mediaType());
    assertEquals("application/json", shown(fixture.read("known")).mediaType());
    assertEquals("text/plain; charset=latin1", shown(fixture.read("custom")).mediaType());
    Shown all = shown(fixture.read("all"));
    assertEquals(-1, all.clientFlags());
    assertEquals("a/b", all.mediaType());
    assertEquals(10, all.lifespanMillis());
    assertEquals(5, all.maxIdleMillis());
    assertCounts(4, 1);
  }

  @Test
  void visitExpired_showsWhatIsExpired_andLeavesIt() {
    Set<String> expected = new HashSet<>();
    for (int i = 0; i < 3000; i++) {
      boolean isShort = i % 5 == 0;
      fixture.store("k" + i, "first", i % 2 == 0 ? LIFESPAN_10 : Expiry.NEVER);
      fixture.store("k" + i, "v".repeat(i % 90), isShort ? LIFESPAN_10 : new Expiry(60_000, -1));
      if (i % 7 == 0) {
        fixture.remove("k" + i);
      } else if (isShort) {
        expected.add("k" + i);
      }
    }
    assertEquals(Set.of(), fixture.expired());
    fixture.env.moveClock(10);
    int count = segment.count();

    assertEquals(expected, fixture.expired());
    assertEquals(expected, fixture.expired());

    assertEquals(count, segment.count());
    fixture.checkInvariants();
    Set<String> removed = new HashSet<>();
    fixture.removeExpired(
        0, Integer.MAX_VALUE, entry -> removed.add(fixture.kind.keyText(entry.key())));
    assertEquals(expected, removed);
    fixture.store("last", "", LIFESPAN_10);
    fixture.remove("last");
    fixture.env.moveClock(10);
    assertEquals(Set.of(), fixture.expired());
    assertTrue(segment.earliestExpiryMillis() > fixture.env.nowMillis());
  }

  @Test
  void snapshot_whileTheSegmentChanges_showsWhatStaysExactlyOnce() {
    for (int i = 0; i < 2000; i++) {
      fixture.store("stays" + i, "v" + i, i % 3 == 0 ? LIFESPAN_10 : Expiry.NEVER);
      fixture.store("goes" + i, "v" + i);
    }
    fixture.env.moveClock(10); // what is expired is in it too
    SegmentSnapshot<K, V> snapshot = fixture.snapshot();
    Map<String, String> seen = new HashMap<>();

    for (int step = 0; snapshot.next(fixture.view); step++) {
      String key = fixture.kind.keyText(fixture.view.key());
      String value = fixture.kind.text(fixture.view.value());
      assertNull(seen.put(key, value), "twice: " + key);
      fixture.store("new" + step, "x".repeat(step % 100));
      fixture.store("new" + step / 2, "another value");
      fixture.remove("goes" + step);
    }

    for (int i = 0; i < 2000; i++) {
      assertEquals("v" + i, seen.get("stays" + i));
    }
    assertFalse(snapshot.next(fixture.view));
  }

  @Test
  void removeExpired_ofWholeTable_removesTheExpiredOnly() {
    Set<String> expired = new HashSet<>();
    for (int i = 0; i < 300; i++) {
      fixture.store("short" + i, "v", LIFESPAN_10);
      fixture.store("long" + i, "v", new Expiry(11, Expiry.UNLIMITED));
      fixture.store("idle" + i, "v", IDLE_10);
      fixture.store("ever" + i, "v");
      expired.add("short" + i);
      expired.add("idle" + i);
    }
    fixture.env.moveClock(10);
    Set<String> seen = new HashSet<>();

    int next =
        fixture.removeExpired(
            0, Integer.MAX_VALUE, entry -> assertTrue(seen.add(fixture.kind.keyText(entry.key()))));

    assertEquals(-1, next);
    assertEquals(expired, seen);
    assertCounts(600, 300);
    assertEquals(Segment.Found.LIVE, fixture.find("long7"));
    assertEquals(Segment.Found.NONE, fixture.find("short7"));
  }

  @Test
  void removeExpired_inSteps_removesAllInTheEnd() {
    for (int i = 0; i < 300; i++) {
      fixture.store("k" + i, "v", i % 2 == 0 ? LIFESPAN_10 : Expiry.NEVER);
    }
    fixture.env.moveClock(10);
    int[] seen = {0};

    int place = 0;
    int steps = 0;
    while (place >= 0) {
      place = fixture.removeExpired(place, 16, entry -> seen[0]++);
      steps++;
    }

    assertEquals(150, seen[0]);
    assertTrue(steps > 2, "steps: " + steps);
    assertCounts(150, 0);
  }

  @Test
  void removeExpired_beyondTheTable_ends() {
    fixture.store("a", "1", LIFESPAN_10);
    fixture.env.moveClock(10);

    assertEquals(-1, fixture.removeExpired(1 << 20, 16, entry -> {}));
    assertCounts(1, 1);
  }

  @Test
  void view_afterAbsence_showsTheNextEntry() {
    fixture.store("a", "1", new Expiry(10, 5), 9, "a/b");
    fixture.store("b", "2");
    EntryView<K, V> view = fixture.container.newView();
    assertFalse(view.isPresent());

    assertEquals("9", locate("a", view));
    assertEquals("absent", locate("none", view));
    assertEquals("0", locate("b", view));
    assertFalse(view.isMortal());
    assertNull(view.mediaType());
    assertEquals("absent", locate("none", view));
    assertEquals("9", locate("a", view));
    assertTrue(view.isMortal());
  }

  private String locate(String key, EntryView<K, V> view) {
    K stored = fixture.kind.key(key);
    segment.lock();
    try {
      segment.locate(stored, fixture.kind.hash(stored), view);
      return view.isPresent() ? String.valueOf(view.clientFlags()) : "absent";
    } finally {
      segment.unlock();
    }
  }

  @Test
  void remainingLifespan_atSomeTimes_countsDownToZero() {
    fixture.store("a", "1", LIFESPAN_10);
    fixture.locate("a");
    long now = fixture.env.nowMillis();

    assertEquals(10, fixture.view.remainingLifespanMillis(now));
    assertEquals(10, fixture.view.remainingLifespanMillis(now - 5));
    assertEquals(1, fixture.view.remainingLifespanMillis(now + 9));
    assertEquals(0, fixture.view.remainingLifespanMillis(now + 99));
    fixture.store("a", "1", new Expiry(Long.MAX_VALUE, Expiry.UNLIMITED));
    fixture.locate("a");
    assertEquals(Long.MAX_VALUE - 5, fixture.view.remainingLifespanMillis(now + 5));
    assertEquals(Long.MAX_VALUE, fixture.view.remainingLifespanMillis(now - 5));
    fixture.store("a", "1");
    fixture.locate("a");
    assertEquals(Expiry.UNLIMITED, fixture.view.remainingLifespanMillis(now));
  }

  @Test
  void lock_ofThisThread_isTold() {
    assertFalse(segment.isLockedByMe());
    segment.lock();
    assertTrue(segment.isLockedByMe());
    segment.unlock();
    assertFalse(segment.isLockedByMe());
  }
}
