package dev.isogrid.engine;

import static dev.isogrid.api.CacheEvent.Kind.CREATED;
import static dev.isogrid.api.CacheEvent.Kind.EXPIRED;
import static dev.isogrid.api.CacheEvent.Kind.MODIFIED;
import static dev.isogrid.api.CacheEvent.Kind.REMOVED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheStats;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.Subscription;
import dev.isogrid.engine.ChangeRecorder.Told;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.SegmentSnapshot;
import dev.isogrid.store.TextKind;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * What an engine must do over every kind of container.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
abstract class CacheEngineContract<K, V> {
  private static final long REAPER_INTERVAL = 60_000;

  private final TextKind<K, V> kind;

  CacheEngineContract(TextKind<K, V> kind) {
    this.kind = kind;
  }

  private EngineFixture<K, V> fixture() {
    return new EngineFixture<>(kind, CacheConfig.builder().statistics(true));
  }

  private static CacheStats stats(EngineFixture<?, ?> fixture) {
    return Objects.requireNonNull(fixture.engine.stats());
  }

  // Versions

  @Test
  void write_ofAnyKind_getsRisingVersionsInItsSegment() {
    EngineFixture<K, V> fixture = fixture();
    String other = fixture.neighbour("a");

    long first = fixture.put("a", "1");
    long second = fixture.put(other, "1");
    long third = fixture.put("a", "2");
    long removal = fixture.write("a", new KeyWrite<K, V>().remove());
    long again = fixture.put("a", "3");
    fixture.engine.clear();
    long afterClear = fixture.put("a", "4");

    assertTrue(0 < first && first < second && second < third && third < removal);
    assertTrue(removal < again && again < afterClear);
    assertEquals(afterClear, fixture.version("a"));
  }

  @Test
  void write_thatChangesNothingOrTimesOnly_givesNoVersion() {
    EngineFixture<K, V> fixture = fixture();
    long version = fixture.put("a", "1");

    assertEquals(0, fixture.write("none", new KeyWrite<K, V>().remove()));
    assertEquals(0, fixture.write("a", fixture.putting("2").when(KeyWrite.Condition.ABSENT)));
    assertEquals(0, fixture.write("a", (_, effect) -> effect.touch(1, 1)));
    assertEquals(0, fixture.write("a", (_, _) -> {}));
    assertEquals(version, fixture.version("a"));
    assertEquals("1", fixture.get("a"));
  }

  // Expiry

  @Test
  void write_withDefaultTimes_getsThoseOfTheConfiguration() {
    EngineFixture<K, V> fixture =
        new EngineFixture<>(
            kind,
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
  void read_ofExpiredEntry_findsNothingAndTellsOnce() {
    EngineFixture<K, V> fixture = fixture();
    fixture.write("a", fixture.putting("1").expiry(10, Expiry.UNLIMITED));
    ChangeRecorder<K, V> recorder = fixture.record();
    fixture.env.moveClock(10);

    assertNull(fixture.get("a"));
    assertNull(fixture.get("a"));
    assertFalse(fixture.peek("a"));

    assertEquals(List.of(new Told(EXPIRED, "a", "1", null)), recorder.take());
    assertTrue(recorder.after().contains(fixture.segmentOf("a")));
    assertEquals(0, fixture.engine.approximateSize());
    assertEquals(1, stats(fixture).expirations());
    assertEquals(2, stats(fixture).misses());
  }

  @Test
  void write_ofExpiredEntry_seesNoneAndTellsBoth() {
    EngineFixture<K, V> fixture = fixture();
    ChangeRecorder<K, V> recorder = fixture.record();
    for (String key : List.of("put", "removed", "left")) {
      fixture.write(key, fixture.putting("1").expiry(Expiry.UNLIMITED, 10));
    }
    recorder.take();
    fixture.env.moveClock(10);

    KeyWrite<K, V> put = fixture.putting("2").when(KeyWrite.Condition.ABSENT);
    fixture.write("put", put);
    assertFalse(put.existed());
    assertEquals(KeyWrite.Outcome.DONE, put.outcome());
    assertEquals(
        List.of(new Told(EXPIRED, "put", "1", null), new Told(CREATED, "put", null, "2")),
        recorder.take());

    assertFalse(fixture.remove("removed"));
    assertEquals(List.of(new Told(EXPIRED, "removed", "1", null)), recorder.take());
    fixture.write("left", (current, _) -> assertFalse(current.isPresent()));
    assertEquals(List.of(new Told(EXPIRED, "left", "1", null)), recorder.take());
    assertEquals(1, fixture.engine.approximateSize());
  }

  @Test
  void reaper_whenItsIntervalIsOver_removesWhatIsExpired() {
    EngineFixture<K, V> fixture =
        new EngineFixture<>(
            kind,
            CacheConfig.builder()
                .statistics(true)
                .reaperInterval(REAPER_INTERVAL, TimeUnit.MILLISECONDS));
    ChangeRecorder<K, V> recorder = fixture.record();
    int count = 20_000; // more places than the reaper looks at in one step
    Set<Told> expected = new HashSet<>();
    for (int i = 0; i < count; i++) {
      fixture.write("k" + i, fixture.putting("v").expiry(i % 2 == 0 ? 10 : -1, -1));
      if (i % 2 == 0) {
        expected.add(new Told(EXPIRED, "k" + i, "v", null));
      }
    }
    recorder.take();

    fixture.env.advance(REAPER_INTERVAL - 1);
    assertEquals(count, fixture.engine.approximateSize());
    fixture.env.advance(1);

    assertEquals(count / 2, fixture.engine.approximateSize());
    assertEquals(count / 2, stats(fixture).expirations());
    List<Told> told = recorder.take();
    assertEquals(count / 2, told.size());
    assertEquals(expected, new HashSet<>(told));
    fixture.env.advance(REAPER_INTERVAL);
    assertEquals(List.of(), recorder.take());
    assertEquals("v", fixture.get("k1"));
  }

  @Test
  void reaper_withIntervalBelowOne_isNotScheduled() {
    EngineFixture<K, V> fixture =
        new EngineFixture<>(kind, CacheConfig.builder().reaperInterval(-1, TimeUnit.MILLISECONDS));

    assertEquals(0, fixture.env.periodicTasks());
  }

  @Test
  void promptCount_withExpiredEntries_leavesThemOutAndWhereTheyAre() {
    EngineFixture<K, V> fixture = fixture();
    for (int i = 0; i < 100; i++) {
      fixture.write("k" + i, fixture.putting("v").expiry(i % 4 == 0 ? 10 : -1, -1));
    }
    fixture.env.moveClock(10);
    long count = 0;
    for (int index = 0; index < fixture.engine.segmentCount(); index++) {
      count += fixture.engine.promptCount(index);
    }
    assertEquals(75, count);
    assertEquals(100, fixture.engine.approximateSize());
  }

  @Test
  void size_withExpiredEntries_removesAndLeavesThemOut() {
    EngineFixture<K, V> fixture = fixture();
    for (int i = 0; i < 100; i++) {
      fixture.write("k" + i, fixture.putting("v").expiry(i % 4 == 0 ? 10 : -1, -1));
    }
    assertEquals(100, fixture.engine.size());
    fixture.env.moveClock(10);

    assertEquals(100, fixture.engine.approximateSize());
    assertEquals(75, fixture.engine.size());
    assertEquals(75, fixture.engine.approximateSize());
  }

  @Test
  void snapshot_ofSegment_hasItsLiveEntries() {
    EngineFixture<K, V> fixture = fixture();
    ChangeRecorder<K, V> recorder = fixture.record();
    fixture.write("a", fixture.putting("1").expiry(10, -1));
    String other = fixture.neighbour("a");
    fixture.put(other, "2");
    fixture.env.moveClock(10);
    recorder.take();

    SegmentSnapshot<K, V> snapshot = fixture.engine.snapshot(fixture.segmentOf("a"));

    EntryView<K, V> view = fixture.engine.newView();
    assertTrue(snapshot.next(view));
    assertEquals(other, kind.keyText(view.key()));
    assertFalse(snapshot.next(view));
    assertEquals(List.of(new Told(EXPIRED, "a", "1", null)), recorder.take());
  }

  // Statistics

  @Test
  void stats_ofReadsAndWrites_countEachOnce() {
    EngineFixture<K, V> fixture = fixture();
    fixture.put("a", "1");
    fixture.put("a", "2");
    fixture.write("a", fixture.putting("3").when(KeyWrite.Condition.ABSENT));
    fixture.touch("a", 5000, -1);
    fixture.get("a");
    fixture.get("none");
    fixture.peek("a");
    fixture.peek("none");
    fixture.remove("a");
    fixture.remove("a");
    fixture.write("none", new KeyWrite<K, V>().remove().whenVersion(1));

    CacheStats expected = new CacheStats(fixture.env.nowMillis(), 1, 1, 2, 1, 2, 0, 0);
    assertEquals(expected, fixture.engine.stats());
    assertEquals(2, expected.retrievals());
  }

  @Test
  void resetStats_afterSome_startsAgain() {
    EngineFixture<K, V> fixture = fixture();
    fixture.put("a", "1");
    fixture.get("a");
    fixture.get("b");
    fixture.remove("a");
    fixture.remove("a");
    fixture.env.moveClock(5);

    fixture.engine.resetStats();

    assertEquals(
        new CacheStats(fixture.env.nowMillis(), 0, 0, 0, 0, 0, 0, 0), fixture.engine.stats());
  }

  @Test
  void stats_whenTurnedOff_areNone() {
    EngineFixture<K, V> fixture = new EngineFixture<>(kind, CacheConfig.builder());
    fixture.put("a", "1");
    fixture.get("a");
    fixture.engine.resetStats();

    assertNull(fixture.engine.stats());
  }

  // User code under the lock

  @Test
  void write_fromMutationInTheSameSegment_isRefusedAndChangesNothing() {
    EngineFixture<K, V> fixture = fixture();
    String other = fixture.neighbour("a");
    fixture.put("a", "1");

    IllegalStateException refusal =
        assertThrows(
            IllegalStateException.class,
            () -> fixture.write("a", (_, _) -> fixture.put(other, "2")));

    assertTrue(String.valueOf(refusal.getMessage()).startsWith("recursive update: cache=c, seg"));
    assertEquals("1", fixture.get("a"));
    assertNull(fixture.get(other));
    fixture.put("a", "3");
    assertEquals("3", fixture.get("a"));
  }

  @Test
  void clear_fromMutation_isRefusedAndKeepsTheSegment() {
    EngineFixture<K, V> fixture = fixture();
    for (int i = 0; i < 100; i++) {
      fixture.put("k" + i, "v");
    }

    assertThrows(
        IllegalStateException.class,
        () ->
            fixture.write(
                "k1",
                (_, effect) -> {
                  fixture.engine.clear();
                  effect.store(kind.value("2"), -1, -1);
                }));

    assertEquals("v", fixture.get("k1"));
    fixture.put("k1", "3");
    assertEquals("3", fixture.get("k1"));
  }

  @Test
  void mutation_thatThrows_changesNothingAndFreesTheLock() {
    EngineFixture<K, V> fixture = fixture();
    ChangeRecorder<K, V> recorder = fixture.record();
    fixture.put("a", "1");
    recorder.take();

    assertThrows(
        ArithmeticException.class,
        () ->
            fixture.write(
                "a",
                (_, effect) -> {
                  effect.remove();
                  throw new ArithmeticException("on purpose");
                }));

    assertFalse(fixture.container.segmentAt(fixture.segmentOf("a")).isLockedByMe());
    assertEquals("1", fixture.get("a"));
    assertEquals(List.of(), recorder.take());
  }

  @Test
  void reads_fromMutation_workOnTheSameSegment() {
    EngineFixture<K, V> fixture = fixture();
    String expired = fixture.neighbour("a");
    fixture.put("a", "1");
    fixture.write(expired, fixture.putting("x").expiry(10, -1));
    fixture.env.moveClock(10);

    fixture.write(
        "a",
        (_, effect) -> {
          assertEquals("1", fixture.get("a"));
          assertNull(fixture.get(expired));
          assertTrue(fixture.engine.size() >= 1);
          fixture.engine.snapshot(fixture.segmentOf("a"));
          effect.store(kind.value("2"), -1, -1);
        });

    assertEquals("2", fixture.get("a"));
    assertNull(fixture.get(expired));
    assertEquals(1, fixture.engine.size());
  }

  // Listeners

  @Test
  void listener_ofEveryChange_isToldBeforeAndAfter() {
    EngineFixture<K, V> fixture = fixture();
    ChangeRecorder<K, V> recorder = fixture.record();

    fixture.put("a", "1");
    fixture.put("a", "2");
    fixture.touch("a", 10, -1);
    fixture.write("a", (_, _) -> {});
    fixture.remove("none");
    fixture.remove("a");

    assertEquals(
        List.of(
            new Told(CREATED, "a", null, "1"),
            new Told(MODIFIED, "a", "1", "2"),
            new Told(REMOVED, "a", "2", null)),
        recorder.take());
  }

  @Test
  void clear_withListener_tellsOfEachEntry() {
    EngineFixture<K, V> fixture = fixture();
    ChangeRecorder<K, V> recorder = fixture.record();
    Set<Told> expected = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      fixture.put("k" + i, "v" + i);
      expected.add(new Told(REMOVED, "k" + i, "v" + i, null));
    }
    fixture.write("old", fixture.putting("v").expiry(10, -1));
    expected.add(new Told(EXPIRED, "old", "v", null));
    fixture.env.moveClock(10);
    recorder.take();

    fixture.engine.clear();

    List<Told> told = recorder.take();
    assertEquals(51, told.size());
    assertEquals(expected, new HashSet<>(told));
    assertEquals(0, fixture.engine.approximateSize());
    fixture.put("k1", "new");
    assertEquals(List.of(new Told(CREATED, "k1", null, "new")), recorder.take());
  }

  @Test
  void listener_afterItsSubscriptionIsClosed_isToldNoMore() {
    EngineFixture<K, V> fixture = fixture();
    ChangeRecorder<K, V> kept = fixture.record();
    ChangeRecorder<K, V> closed = new ChangeRecorder<>(kind, fixture.container);
    Subscription subscription = fixture.engine.addListener(closed);
    fixture.put("a", "1");

    subscription.close();
    subscription.close();
    fixture.put("a", "2");

    assertEquals(1, closed.take().size());
    assertEquals(2, kept.take().size());
  }

  // The end

  @Test
  void close_twice_refusesEveryOperationAndFreesTheEntries() {
    EngineFixture<K, V> fixture = fixture();
    fixture.put("a", "1");
    assertEquals(1, fixture.env.periodicTasks());
    assertFalse(fixture.engine.isClosed());

    fixture.engine.close();
    fixture.engine.close();

    assertTrue(fixture.engine.isClosed());
    assertEquals(0, fixture.env.periodicTasks());
    assertEquals(0, fixture.container.segmentAt(fixture.segmentOf("a")).count());
    List<Executable> operations =
        List.of(
            () -> fixture.get("a"),
            () -> fixture.peek("a"),
            () -> fixture.put("a", "1"),
            () -> fixture.engine.clear(),
            () -> fixture.engine.size(),
            () -> fixture.engine.approximateSize(),
            () -> fixture.engine.snapshot(0),
            () -> fixture.record());
    for (Executable operation : operations) {
      FatalGridException refusal = assertThrows(FatalGridException.class, operation);
      assertTrue(String.valueOf(refusal.getMessage()).startsWith("cache closed: cache=c"));
    }
  }

  @Test
  void close_fromMutation_letsItEnd() {
    EngineFixture<K, V> fixture = fixture();
    for (int i = 0; i < 100; i++) {
      fixture.put("k" + i, "v");
    }

    fixture.write(
        "k1",
        (_, effect) -> {
          fixture.engine.close();
          effect.store(kind.value("2"), -1, -1);
        });

    assertThrows(FatalGridException.class, () -> fixture.get("k1"));
  }

  @Test
  void engine_whenMade_tellsWhatItWasMadeOf() {
    EngineFixture<K, V> fixture = fixture();

    assertEquals("c", fixture.engine.name());
    assertEquals(EngineFixture.SEGMENTS, fixture.engine.segmentCount());
    assertEquals(EngineFixture.SEGMENTS, fixture.engine.config().segments());
    assertEquals(fixture.env.nowMillis(), fixture.engine.nowMillis());
  }
}
