package dev.isogrid.engine;

import static dev.isogrid.api.CacheEvent.Kind.CREATED;
import static dev.isogrid.api.CacheEvent.Kind.EXPIRED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Expiry;
import dev.isogrid.engine.ChangeRecorder.Told;
import dev.isogrid.node.CacheSetting;
import dev.isogrid.node.CacheSetting.Promise;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.SegmentSnapshot;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The life of entries that end by themselves.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
class EngineExpiryTest<K, V> extends GridContract<K, V> {
  /** More places of each segment than the reaper of a local cache looks at in one step. */
  private static final int MANY = 20_000;

  /** No more than are removed of all segments of a cluster in one round of the reaper. */
  private static final int MANY_OF_CLUSTER = 1000;

  EngineExpiryTest(CacheSetting setting) {
    super(setting);
  }

  @Test
  void write_withDefaultTimes_getsThoseOfTheConfiguration() throws Exception {
    GridFixture<K, V> fixture =
        fixture(
            CacheConfig.builder()
                .lifespan(100, TimeUnit.MILLISECONDS)
                .maxIdle(50, TimeUnit.MILLISECONDS));

    fixture.put("default", "1");
    fixture.write("never", fixture.putting("1").expiry(Expiry.UNLIMITED, Expiry.UNLIMITED));
    fixture.write("own", fixture.putting("1").expiry(7, Expiry.CACHE_DEFAULT));
    fixture.write("touched", fixture.putting("1").expiry(1, 1));
    fixture.touch("touched", Expiry.CACHE_DEFAULT, 3);

    assertEquals(List.of(100L, 50L), fixture.times("default"));
    assertEquals(List.of(-1L, -1L), fixture.times("never"));
    assertEquals(List.of(7L, 50L), fixture.times("own"));
    assertEquals(List.of(100L, 3L), fixture.times("touched"));
  }

  @Test
  void read_ofExpiredEntry_findsNothingAndTellsOnce() throws Exception {
    GridFixture<K, V> fixture = fixture();
    fixture.write("a", fixture.putting("1").expiry(10, Expiry.UNLIMITED));
    ChangeRecorder<K, V> recorder = fixture.record();
    fixture.moveClock(10);

    assertNull(fixture.get("a"));
    assertNull(fixture.get("a"));
    assertFalse(fixture.peek("a"));
    assertEquals(2, stats(fixture.engine("a")).misses());

    assertEquals(List.of(new Told(EXPIRED, "a", "1", null)), fixture.take(recorder));
    assertTrue(recorder.after().contains(fixture.segmentOf("a")));
    for (CacheEngine<K, V> engine : fixture.everywhere()) {
      assertEquals(0, engine.approximateSize());
    }
    for (CacheEngine<K, V> engine : fixture.keepers("a")) {
      assertEquals(1, stats(engine).expirations());
    }
    reap(fixture);
    assertEquals(List.of(), fixture.take(recorder));
  }

  @Test
  void write_ofExpiredEntry_seesNoneAndTellsBoth() throws Exception {
    GridFixture<K, V> fixture = fixture();
    ChangeRecorder<K, V> recorder = fixture.record();
    for (String key : List.of("put", "removed", "left")) {
      fixture.write(key, fixture.putting("1").expiry(Expiry.UNLIMITED, 10));
    }
    fixture.take(recorder);
    fixture.moveClock(10);

    KeyWrite<K, V> put = fixture.putting("2").when(KeyWrite.Condition.ABSENT);
    fixture.write("put", put);
    assertFalse(put.existed());
    assertEquals(KeyWrite.Outcome.DONE, put.outcome());
    assertEquals(
        List.of(new Told(EXPIRED, "put", "1", null), new Told(CREATED, "put", null, "2")),
        fixture.take(recorder));

    assertFalse(fixture.remove("removed"));
    assertEquals(List.of(new Told(EXPIRED, "removed", "1", null)), fixture.take(recorder));
    fixture.write("left", (current, _) -> assertFalse(current.isPresent()));
    assertEquals(List.of(new Told(EXPIRED, "left", "1", null)), fixture.take(recorder));
    assertEquals(1, fixture.home().size());
  }

  @Test
  void reaper_whenItsIntervalIsOver_removesWhatIsExpired() throws Exception {
    GridFixture<K, V> fixture = fixture();
    ChangeRecorder<K, V> recorder = fixture.record();
    Set<Told> expected = new HashSet<>();
    int count = setting.cluster() == CacheSetting.Cluster.NONE ? MANY : MANY_OF_CLUSTER;
    for (int i = 0; i < count; i++) {
      fixture.write("k" + i, fixture.putting("v").expiry(i % 2 == 0 ? 10 : -1, -1));
      if (i % 2 == 0) {
        expected.add(new Told(EXPIRED, "k" + i, "v", null));
      }
    }
    fixture.take(recorder);
    fixture.moveClock(10);
    fixture.settle();
    long kept = fixture.home().approximateSize();
    assertEquals(List.of(), fixture.take(recorder));

    reap(fixture);

    assertTold(expected, fixture.take(recorder));
    assertEquals(count / 2, fixture.home().size());
    assertEquals(kept > 0, fixture.home().approximateSize() < kept);
    reap(fixture);
    assertEquals(List.of(), fixture.take(recorder));
    assertEquals("v", fixture.get("k1"));
  }

  @Test
  void reaper_withIntervalBelowOne_removesNothing() throws Exception {
    GridFixture<K, V> fixture =
        fixture(CacheConfig.builder().reaperInterval(-1, TimeUnit.MILLISECONDS));
    fixture.write("a", fixture.putting("1").expiry(10, -1));
    ChangeRecorder<K, V> recorder = fixture.record();
    fixture.moveClock(10);
    fixture.grids.time.pass(REAPER_INTERVAL);

    assertEquals(List.of(), fixture.take(recorder));
    for (CacheEngine<K, V> engine : fixture.keepers("a")) {
      assertEquals(1, engine.approximateSize());
    }
  }

  @Test
  void promptCount_withExpiredEntries_leavesThemOutAndWhereTheyAre() throws Exception {
    GridFixture<K, V> fixture = fixture();
    for (int i = 0; i < 20; i++) {
      fixture.write("k" + i, fixture.putting("v").expiry(i % 4 == 0 ? 10 : -1, -1));
    }
    fixture.moveClock(10);
    long live = 0;
    long kept = 0;
    for (int index = 0; index < GridFixture.SEGMENTS; index++) {
      live += fixture.answering(index).promptCount(index);
      kept += fixture.answering(index).container.segmentAt(index).count();
    }
    assertEquals(15, live);
    assertEquals(20, kept);
  }

  @Test
  void size_withExpiredEntries_leavesThemOut() throws Exception {
    GridFixture<K, V> fixture = fixture();
    for (int i = 0; i < 100; i++) {
      fixture.write("k" + i, fixture.putting("v").expiry(i % 4 == 0 ? 10 : -1, -1));
    }
    assertEquals(100, fixture.home().size());
    long kept = fixture.home().approximateSize();
    fixture.moveClock(10);

    assertEquals(kept, fixture.home().approximateSize());
    assertEquals(75, fixture.home().size());
    long left = fixture.promises(Promise.COUNTS_REMOVE_EXPIRED) ? 75 : kept;
    assertEquals(left, fixture.home().approximateSize());
  }

  @Test
  void snapshot_ofSegment_hasItsLiveEntries() throws Exception {
    GridFixture<K, V> fixture = fixture();
    ChangeRecorder<K, V> recorder = fixture.record();
    fixture.write("a", fixture.putting("1").expiry(10, -1));
    String other = fixture.neighbour("a");
    fixture.put(other, "2");
    fixture.moveClock(10);
    fixture.take(recorder);

    CacheEngine<K, V> engine = fixture.answering(fixture.segmentOf("a"));
    SegmentSnapshot<K, V> snapshot = engine.snapshot(fixture.segmentOf("a"));

    EntryView<K, V> view = engine.newView();
    List<String> live = new ArrayList<>();
    List<String> expired = new ArrayList<>();
    while (snapshot.next(view)) {
      (view.isExpired(fixture.nowMillis()) ? expired : live).add(kind.keyText(view.key()));
    }
    assertEquals(List.of(other), live);
    boolean removes = fixture.promises(Promise.READS_REMOVE_EXPIRED);
    assertEquals(removes ? List.of() : List.of("a"), expired);
    assertEquals(
        removes ? List.of(new Told(EXPIRED, "a", "1", null)) : List.of(), fixture.take(recorder));
  }

  @Test
  void read_ofEntryWithMaxIdle_postponesItsEnd() throws Exception {
    GridFixture<K, V> fixture = fixture();
    fixture.write("a", fixture.putting("1").expiry(Expiry.UNLIMITED, 10));
    for (int i = 0; i < 4; i++) {
      fixture.moveClock(9);
      if (i % 2 == 0) {
        assertEquals("1", fixture.get("a"));
      } else {
        assertTrue(fixture.peek("a"));
      }
    }
    fixture.moveClock(9);
    fixture.touch("a", Expiry.UNLIMITED, 20);
    fixture.moveClock(19);
    assertEquals("1", fixture.get("a"));
    fixture.moveClock(20);

    for (CacheEngine<K, V> engine : fixture.everywhere()) {
      assertNull(fixture.get(engine, "a"));
    }
    assertEquals(0, fixture.home().size());
  }

  @Test
  void read_onOneNode_postponesTheEndForAllThatShareTheEntry() throws Exception {
    GridFixture<K, V> fixture = fixture();
    fixture.write("a", fixture.putting("1").expiry(Expiry.UNLIMITED, 10));
    for (CacheEngine<K, V> engine : fixture.everywhere()) {
      fixture.moveClock(9);
      boolean isThere = fixture.promises(Promise.SHARES_ENTRIES) || engine.equals(fixture.home());
      assertEquals(isThere ? "1" : null, fixture.get(engine, "a"));
    }
    reap(fixture);
    boolean isKept = fixture.promises(Promise.SHARES_ENTRIES);
    assertEquals(isKept ? "1" : null, fixture.get("a"));
  }

  @Test
  void lifespan_whenItIsOver_endsTheEntryOnAllNodes() throws Exception {
    GridFixture<K, V> fixture = fixture();
    fixture.write("a", fixture.putting("1").expiry(10, 8));
    fixture.moveClock(7);
    assertEquals("1", fixture.get("a"));
    fixture.moveClock(2);
    assertEquals("1", fixture.get("a"), "a use postpones the end of max idle");
    fixture.moveClock(1);

    for (CacheEngine<K, V> engine : fixture.everywhere()) {
      assertNull(fixture.get(engine, "a"), "but not that of the lifespan");
    }
    fixture.put("a", "2");
    fixture.moveClock(1_000_000);
    assertEquals("2", fixture.get("a"));
  }

  @Test
  void lifespan_whenAnotherNodeTakesOver_goesOn() throws Exception {
    GridFixture<K, V> fixture = fixture();
    fixture.write("a", fixture.putting("1").expiry(10, Expiry.UNLIMITED));
    fixture.settle();
    fixture.moveClock(9);
    if (!setting.hasOwners()) {
      assertEquals("1", fixture.get("a"));
      return; // nobody can take over
    }
    ChangeRecorder<K, V> recorder = fixture.record(fixture.killPrimary("a"));

    for (CacheEngine<K, V> engine : fixture.everywhere()) {
      assertEquals("1", fixture.get(engine, "a"));
    }
    fixture.moveClock(1);
    for (CacheEngine<K, V> engine : fixture.everywhere()) {
      assertNull(fixture.get(engine, "a"));
    }
    reap(fixture);
    assertEquals(List.of(new Told(EXPIRED, "a", "1", null)), fixture.take(recorder));
  }

  @Test
  void maxIdle_whenAnotherNodeTakesOver_beginsAnewThen() throws Exception {
    GridFixture<K, V> fixture = fixture();
    fixture.write("a", fixture.putting("1").expiry(Expiry.UNLIMITED, 10));
    fixture.settle();
    for (int i = 0; i < 3; i++) {
      fixture.moveClock(9);
      assertEquals("1", fixture.get("a"), "a use that the other replicas don't know of");
    }
    fixture.moveClock(9);
    if (!setting.hasOwners()) {
      assertEquals("1", fixture.get("a"));
      return; // nobody can take over
    }
    ChangeRecorder<K, V> recorder = fixture.record(fixture.killPrimary("a"));

    reap(fixture);
    fixture.moveClock(9);
    reap(fixture);
    assertEquals(List.of(), fixture.take(recorder), "not before it was idle since then");
    fixture.moveClock(1);
    for (CacheEngine<K, V> engine : fixture.everywhere()) {
      assertNull(fixture.get(engine, "a"));
    }
    reap(fixture);
    assertEquals(List.of(new Told(EXPIRED, "a", "1", null)), fixture.take(recorder));
  }

  @Test
  void expiry_ofEntriesOfAllSegments_isToldOnceOnEachNode() throws Exception {
    GridFixture<K, V> fixture = fixture();
    List<ChangeRecorder<K, V>> recorders = new ArrayList<>();
    for (CacheEngine<K, V> engine : fixture.everywhere()) {
      recorders.add(fixture.record(engine));
    }
    Set<Told> expected = new HashSet<>();
    for (int i = 0; i < 40; i++) {
      fixture.write("k" + i, fixture.putting("v" + i).expiry(10, Expiry.UNLIMITED));
      expected.add(new Told(EXPIRED, "k" + i, "v" + i, null));
    }
    recorders.forEach(fixture::take);
    fixture.moveClock(10);
    reap(fixture);

    for (int i = 0; i < recorders.size(); i++) {
      boolean hears =
          fixture.promises(Promise.SHARES_ENTRIES)
              || fixture.everywhere().get(i).equals(fixture.home());
      assertTold(hears ? expected : Set.of(), fixture.take(recorders.get(i)));
    }
  }
}
