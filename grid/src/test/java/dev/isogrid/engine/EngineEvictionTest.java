package dev.isogrid.engine;

import static dev.isogrid.api.CacheEvent.Kind.EVICTED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.WhenFull;
import dev.isogrid.engine.ChangeRecorder.Told;
import dev.isogrid.engine.KeyWrite.Condition;
import dev.isogrid.engine.KeyWrite.Outcome;
import dev.isogrid.node.CacheSetting;
import dev.isogrid.node.CacheSetting.Promise;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Caches with a bound. A bound is that of each node, and counts all copies there.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
class EngineEvictionTest<K, V> extends GridContract<K, V> {
  private static final int BOUND = 20;
  private static final int KEYS = 100;

  /** Some pages of each segment off the heap. */
  private static final long BYTES = 1 << 20;

  private static final int VALUE_BYTES = 4000;

  EngineEvictionTest(CacheSetting setting) {
    super(setting);
  }

  private GridFixture<K, V> bounded(WhenFull whenFull) throws Exception {
    return fixture(
        CacheConfig.builder()
            .statistics(true)
            .reaperInterval(REAPER_INTERVAL, TimeUnit.MILLISECONDS)
            .maxCount(BOUND)
            .whenFull(whenFull));
  }

  private static void fill(GridFixture<?, ?> fixture) {
    for (int i = 0; i < KEYS; i++) {
      fixture.put("k" + i, "v" + i);
      // So that nodes don't use entries alike, and evict others.
      for (CacheEngine<?, ?> engine : fixture.everywhere()) {
        peek(fixture, engine, "k" + i / 2);
      }
    }
  }

  @SuppressWarnings("unchecked") // the engine is one of the fixture's
  private static <K, V> void peek(GridFixture<K, V> fixture, CacheEngine<?, ?> engine, String key) {
    CacheEngine<K, V> known = (CacheEngine<K, V>) engine;
    K stored = fixture.kind.key(key);
    known.peek(stored, fixture.kind.hash(stored), known.newView(), _ -> {});
  }

  // Removing what is too much

  @Test
  void put_overMaxCount_keepsEachNodeWithinIt() throws Exception {
    GridFixture<K, V> fixture = bounded(WhenFull.REMOVE);
    for (int i = 0; i < KEYS; i++) {
      fixture.put("k" + i, "v" + i);
      for (CacheEngine<K, V> engine : fixture.everywhere()) {
        assertTrue(engine.approximateSize() <= BOUND);
      }
      assertEquals("v" + i, fixture.get("k" + i), "the latest one is kept");
    }
    fixture.settle();
    long evictions = 0;
    long kept = 0;
    long stored = 0;
    for (CacheEngine<K, V> engine : fixture.everywhere()) {
      evictions += stats(engine).evictions();
      kept += engine.approximateSize();
    }
    for (int i = 0; i < KEYS; i++) {
      stored += fixture.keepers("k" + i).size();
    }
    assertEquals(stored, kept + evictions, "each copy is kept or was evicted");
    assertTrue(kept >= BOUND, "no more than necessary is evicted: kept=" + kept);
  }

  @Test
  void put_overMaxSize_keepsEachNodeNearIt() throws Exception {
    GridFixture<K, V> fixture =
        fixture(CacheConfig.builder().maxSize(BYTES).whenFull(WhenFull.REMOVE));
    String value = "x".repeat(VALUE_BYTES);
    int count = (int) (4 * BYTES / VALUE_BYTES);
    for (int i = 0; i < count; i++) {
      fixture.put("k" + i, value);
    }
    fixture.settle();

    for (CacheEngine<K, V> engine : fixture.everywhere()) {
      assertTrue(engine.memoryUse().liveBytes() <= BYTES);
    }
    assertTrue(fixture.home().size() > count / 16);
    for (int i = count - 10; i < count; i++) {
      fixture.put("k" + i, "small");
      assertEquals("small", fixture.get("k" + i));
    }
    assertThrows(
        CacheFullException.class, () -> fixture.put("large", "x".repeat((int) (2 * BYTES))));
    assertNull(fixture.get("large"));
  }

  @Test
  void evictedEntry_isGoneForAllOnceItIsGoneFromItsPrimary() throws Exception {
    GridFixture<K, V> fixture = bounded(WhenFull.REMOVE);
    fill(fixture);
    fixture.settle();
    int found = 0;
    for (int i = 0; i < KEYS; i++) {
      String key = "k" + i;
      String answer = fixture.get(fixture.answering(fixture.segmentOf(key)), key);
      found += answer == null ? 0 : 1;
      for (CacheEngine<K, V> engine : fixture.everywhere()) {
        if (fixture.promises(Promise.SHARES_ENTRIES) || engine.equals(fixture.home())) {
          assertEquals(answer, fixture.get(engine, key), key);
        }
      }
    }
    assertEquals(found, fixture.home().size());
  }

  @Test
  void remove_ofEntryThatItsPrimaryEvicted_removesItFromAllReads() throws Exception {
    GridFixture<K, V> fixture = bounded(WhenFull.REMOVE);
    fill(fixture);
    fixture.settle();
    for (int i = 0; i < KEYS; i++) {
      fixture.remove("k" + i);
    }
    fixture.settle();
    for (int i = 0; i < KEYS; i++) {
      for (CacheEngine<K, V> engine : fixture.everywhere()) {
        assertNull(fixture.get(engine, "k" + i), "k" + i);
      }
    }
    assertEquals(0, fixture.home().size());
  }

  @Test
  void remove_ofEntryThatItsPrimaryEvicted_holdsWhenAnotherNodeTakesOver() throws Exception {
    GridFixture<K, V> fixture = bounded(WhenFull.REMOVE);
    fill(fixture);
    fixture.settle();
    if (!setting.hasOwners()) {
      return; // nobody can take over
    }
    int removed = KEYS - BOUND / 2;
    for (int i = 0; i < removed; i++) {
      fixture.remove("k" + i);
    }
    fixture.settle();
    fixture.killPrimary("a");
    for (int i = 0; i < removed; i++) {
      for (CacheEngine<K, V> engine : fixture.everywhere()) {
        assertNull(fixture.get(engine, "k" + i), "k" + i);
      }
    }
  }

  @Test
  void evictions_areToldToListenersOfTheNodeThatEvicts() throws Exception {
    GridFixture<K, V> fixture = bounded(WhenFull.REMOVE);
    List<ChangeRecorder<K, V>> recorders = new ArrayList<>();
    for (CacheEngine<K, V> engine : fixture.everywhere()) {
      recorders.add(fixture.record(engine));
    }
    for (int i = 0; i < KEYS; i++) {
      fixture.put("k" + i, "v" + i);
    }
    fixture.settle();

    for (int i = 0; i < recorders.size(); i++) {
      CacheEngine<K, V> engine = fixture.everywhere().get(i);
      List<Told> told = new ArrayList<>(fixture.take(recorders.get(i)));
      told.removeIf(each -> each.kind() != EVICTED);
      assertEquals(stats(engine).evictions(), told.size());
      Set<String> keys = new HashSet<>();
      for (Told each : told) {
        assertTrue(keys.add(each.key()), "an entry that was stored once is evicted once");
        assertEquals("v" + each.key().substring(1), each.before());
        assertFalse(isKept(engine, each.key()));
      }
    }
  }

  private boolean isKept(CacheEngine<K, V> engine, String key) {
    K stored = kind.key(key);
    boolean[] isFound = {false};
    engine
        .container
        .segment(kind.hash(stored))
        .read(stored, kind.hash(stored), engine.newView(), _ -> isFound[0] = true);
    return isFound[0];
  }

  @Test
  void entryThatWasEvicted_canBeWrittenAgainWithAnyCondition() throws Exception {
    GridFixture<K, V> fixture = bounded(WhenFull.REMOVE);
    fill(fixture);
    fixture.settle();
    for (int i = 0; i < KEYS; i++) {
      String key = "k" + i;
      boolean isThere = fixture.peek(key);
      KeyWrite<K, V> write = fixture.putting("again").when(Condition.ABSENT);
      fixture.write(key, write);
      assertEquals(isThere ? Outcome.KEY_PRESENT : Outcome.DONE, write.outcome(), key);
      if (!isThere) {
        assertEquals("again", fixture.get(key));
      }
    }
  }

  // Refusing what is too much

  /** Puts, and checks that it is refused if and only if the primary's node is full. */
  private boolean tryPut(GridFixture<K, V> fixture, String key) {
    long before = fixture.answering(fixture.segmentOf(key)).approximateSize();
    try {
      fixture.put(key, "v");
      assertTrue(before < BOUND, "a put beyond the bound: entries=" + before);
      return true;
    } catch (CacheFullException full) {
      assertTrue(before >= BOUND, "refused though there was room: entries=" + before);
      assertTrue(String.valueOf(full.getMessage()).startsWith("cache full: cache=c, max-count="));
      return false;
    }
  }

  @Test
  void put_whenFull_isRefusedOnAllNodesAndChangesNothing() throws Exception {
    GridFixture<K, V> fixture = bounded(WhenFull.EXCEPTION);
    Set<String> accepted = new HashSet<>();
    for (int i = 0; i < KEYS; i++) {
      if (tryPut(fixture, "k" + i)) {
        accepted.add("k" + i);
      }
      fixture.settle();
    }
    assertTrue(accepted.size() >= BOUND / 2 && accepted.size() < KEYS, "" + accepted.size());
    assertEquals(accepted.size(), fixture.home().size());
    long kept = fixture.everywhere().stream().mapToLong(CacheEngine::approximateSize).sum();
    long copies = accepted.stream().mapToLong(key -> fixture.keepers(key).size()).sum();
    assertEquals(copies, kept, "all replicas have what was accepted, and nothing else");
    for (int i = 0; i < KEYS; i++) {
      assertEquals(accepted.contains("k" + i) ? "v" : null, fixture.get("k" + i));
    }
    for (CacheEngine<K, V> engine : fixture.everywhere()) {
      assertEquals(0, stats(engine).evictions());
    }
  }

  @Test
  void writesOfEntriesThatAreThere_whenFull_areDone() throws Exception {
    GridFixture<K, V> fixture = bounded(WhenFull.EXCEPTION);
    int last = 0;
    while (tryPut(fixture, "k" + last)) {
      fixture.settle();
      last++;
    }
    String full = "k" + last;
    String there = fullNeighbour(fixture, full, last);

    fixture.put(there, "w");
    assertEquals("w", fixture.get(there));
    KeyWrite<K, V> replace = fixture.putting("x").when(Condition.PRESENT);
    fixture.write(full, replace);
    assertEquals(Outcome.KEY_ABSENT, replace.outcome(), "nothing would be stored");
    KeyWrite<K, V> older = fixture.putting("x").whenVersion(1);
    fixture.write(full, older);
    assertEquals(Outcome.KEY_ABSENT, older.outcome());
    assertFalse(fixture.remove(full));
    assertThrows(CacheFullException.class, () -> fixture.put(full, "v"));
    assertTrue(fixture.remove(there));
    fixture.settle();
    // A node may have more copies than the bound, since a backup takes what its primary accepts.
    boolean isAccepted = tryPut(fixture, full);
    assertEquals(isAccepted ? "v" : null, fixture.get(full));
    fixture.settle();
    assertThrows(CacheFullException.class, () -> fixture.put(there, "v"));
  }

  /** A key that is there, in the segment of one that has no room. */
  private String fullNeighbour(GridFixture<K, V> fixture, String full, int count) {
    for (int i = 0; i < count; i++) {
      if (fixture.segmentOf("k" + i) == fixture.segmentOf(full)) {
        return "k" + i;
      }
    }
    throw new AssertionError("no neighbour of " + full);
  }

  @Test
  void put_whenFullOfExpiredEntries_isDone() throws Exception {
    GridFixture<K, V> fixture = bounded(WhenFull.EXCEPTION);
    for (int i = 0; i < BOUND / 2; i++) {
      String key = i == 0 ? "a" : sibling(fixture, i);
      fixture.write(key, fixture.putting("v").expiry(10, Expiry.UNLIMITED));
    }
    for (int i = BOUND / 2; i < BOUND; i++) {
      fixture.put(sibling(fixture, i), "v");
    }
    fixture.settle();
    String more = sibling(fixture, BOUND);
    assertThrows(CacheFullException.class, () -> fixture.put(more, "v"));
    fixture.moveClock(10);

    if (!fixture.promises(Promise.EXPIRED_MAKE_ROOM)) {
      assertThrows(CacheFullException.class, () -> fixture.put(more, "v"));
      reap(fixture);
    }
    fixture.put(more, "v");
    assertEquals("v", fixture.get(more));
  }

  /** A key of the segment of "a"; another one for each number. */
  private String sibling(GridFixture<K, V> fixture, int number) {
    int found = 0;
    for (int i = 0; ; i++) {
      if (fixture.segmentOf("s" + i) == fixture.segmentOf("a") && found++ == number) {
        return "s" + i;
      }
    }
  }

  /** A text that compression hardly makes smaller, another one for each number. */
  private static String text(int number, int length) {
    return new Random(number)
        .ints(length, '!', '~')
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  @Test
  void put_overMaxSizeWhenFull_isRefusedOnAllNodes() throws Exception {
    GridFixture<K, V> fixture =
        fixture(CacheConfig.builder().maxSize(BYTES).whenFull(WhenFull.EXCEPTION));
    Set<String> accepted = new HashSet<>();
    int refused = 0;
    for (int i = 0; i < 4 * BYTES / VALUE_BYTES; i++) {
      try {
        fixture.put("k" + i, text(i, VALUE_BYTES));
        accepted.add("k" + i);
      } catch (CacheFullException full) {
        assertTrue(String.valueOf(full.getMessage()).startsWith("cache full: cache=c, max-size="));
        refused++;
      }
    }
    fixture.settle();
    assertTrue(refused > 0 && accepted.size() > BYTES / VALUE_BYTES / 4, "" + accepted.size());
    assertEquals(accepted.size(), fixture.home().size());
    for (String key : accepted) {
      assertNotNull(fixture.get(fixture.engine(key), key));
      for (CacheEngine<K, V> engine : fixture.keepers(key)) {
        assertTrue(isKept(engine, key), key);
      }
    }
  }

  @Test
  void bulk_ofMoreThanThereIsRoomFor_storesAllOfASegmentOrNothing() throws Exception {
    GridFixture<K, V> fixture = bounded(WhenFull.EXCEPTION);
    Bulk<K, V> puts = fixture.home().bulk();
    assertThrows(
        CacheFullException.class,
        () -> {
          for (int i = 0; i < 2 * BOUND; i++) {
            K key = kind.key(sibling(fixture, i));
            puts.write(key, kind.hash(key), fixture.putting("v"));
          }
          puts.await();
        });
    fixture.settle();
    assertEquals(0, fixture.home().size());
    Bulk<K, V> fewer = fixture.home().bulk();
    for (int i = 0; i < BOUND; i++) {
      K key = kind.key(sibling(fixture, i));
      fewer.write(key, kind.hash(key), fixture.putting("v"));
    }
    fewer.await();
    assertEquals(BOUND, fixture.home().size());
  }

  @Test
  void bound_whenAnotherNodeTakesOver_holdsThere() throws Exception {
    GridFixture<K, V> fixture = bounded(WhenFull.REMOVE);
    fill(fixture);
    fixture.settle();
    if (!setting.hasOwners()) {
      return; // nobody can take over
    }
    CacheEngine<K, V> primary = fixture.killPrimary("a");
    for (int i = 0; i < KEYS; i++) {
      fixture.write(primary, "m" + i, fixture.putting("v"));
      for (CacheEngine<K, V> engine : fixture.everywhere()) {
        assertTrue(engine.approximateSize() <= BOUND);
      }
    }
    assertEquals("v", fixture.get(primary, "m" + (KEYS - 1)));
  }
}
