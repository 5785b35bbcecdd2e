package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheStats;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.node.CacheSetting;
import dev.isogrid.node.CacheSetting.Promise;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Versions, statistics and mutations, and the end of a cache.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
class EngineOperationsTest<K, V> extends GridContract<K, V> {
  EngineOperationsTest(CacheSetting setting) {
    super(setting);
  }

  @Test
  void write_ofAnyKind_getsRisingVersionsInItsSegment() throws Exception {
    GridFixture<K, V> fixture = fixture();
    String other = fixture.neighbour("a");

    long first = fixture.put("a", "1");
    long second = fixture.put(other, "1");
    long third = fixture.put("a", "2");
    long removal = fixture.write("a", fixture.removing());
    long again = fixture.put("a", "3");
    fixture.home().clear();
    long afterClear = fixture.put("a", "4");

    assertTrue(0 < first && first < second && second < third && third < removal);
    assertTrue(removal < again && again < afterClear);
    assertEquals(afterClear, fixture.version("a"));
  }

  @Test
  void write_thatChangesNothingOrTimesOnly_givesNoVersion() throws Exception {
    GridFixture<K, V> fixture = fixture();
    long version = fixture.put("a", "1");

    assertEquals(0, fixture.write("none", fixture.removing()));
    assertEquals(0, fixture.write("a", fixture.putting("2").when(KeyWrite.Condition.ABSENT)));
    assertEquals(0, fixture.write("a", (_, effect) -> effect.touch(1, 1)));
    assertEquals(0, fixture.write("a", (_, _) -> {}));
    assertEquals(version, fixture.version("a"));
    assertEquals("1", fixture.get("a"));
  }

  @Test
  void stats_ofReadsAndWrites_countEachOnceWhereItIsAsked() throws Exception {
    GridFixture<K, V> fixture = fixture();
    CacheEngine<K, V> engine = fixture.engine("a");
    String none = fixture.neighbour("a");
    fixture.put("a", "1");
    fixture.put("a", "2");
    fixture.write("a", fixture.putting("3").when(KeyWrite.Condition.ABSENT));
    fixture.touch("a", 5000, -1);
    fixture.get("a");
    fixture.get(none);
    fixture.peek("a");
    fixture.peek(none);
    fixture.remove("a");
    fixture.remove("a");
    fixture.write(none, fixture.removing().whenVersion(1));

    CacheStats expected = new CacheStats(fixture.nowMillis(), 1, 1, 2, 1, 2, 0, 0);
    assertEquals(expected, engine.stats());
    assertEquals(2, expected.retrievals());
    for (CacheEngine<K, V> other : fixture.everywhere()) {
      CacheStats nothing = new CacheStats(fixture.nowMillis(), 0, 0, 0, 0, 0, 0, 0);
      assertEquals(other.equals(engine) ? expected : nothing, other.stats());
    }
  }

  @Test
  void resetStats_afterSome_startsAgain() throws Exception {
    GridFixture<K, V> fixture = fixture();
    fixture.put("a", "1");
    fixture.get("a");
    fixture.get("b");
    fixture.remove("a");
    fixture.remove("a");
    fixture.moveClock(5);

    fixture.home().resetStats();

    assertEquals(new CacheStats(fixture.nowMillis(), 0, 0, 0, 0, 0, 0, 0), fixture.home().stats());
  }

  @Test
  void stats_whenTurnedOff_areNone() throws Exception {
    GridFixture<K, V> fixture = fixture(CacheConfig.builder());
    fixture.put("a", "1");
    fixture.get("a");
    fixture.home().resetStats();

    assertNull(fixture.home().stats());
  }

  @Test
  void write_fromMutationInTheSameSegment_isRefusedOrDoneFirst() throws Exception {
    GridFixture<K, V> fixture = fixture();
    String other = fixture.neighbour("a");
    fixture.put("a", "1");
    Runnable nested =
        () ->
            fixture.write(
                "a",
                (current, effect) -> {
                  String seen = kind.text(current.value());
                  if (!seen.equals("x")) {
                    fixture.put(other, "2");
                    fixture.put("a", "x");
                  }
                  effect.store(kind.value(seen + "y"), -1, -1);
                });

    if (fixture.promises(Promise.DECIDES_UNDER_THE_LOCK)) {
      IllegalStateException refusal = assertThrows(IllegalStateException.class, nested::run);
      String message = String.valueOf(refusal.getMessage());
      assertTrue(message.startsWith("write from within a write: cache=c, seg"), message);
      assertEquals("1", fixture.get("a"));
      assertNull(fixture.get(other));
    } else {
      nested.run();
      assertEquals("xy", fixture.get("a"), "decided again on what was written meanwhile");
      assertEquals("2", fixture.get(other));
    }
    fixture.put("a", "3");
    assertEquals("3", fixture.get("a"));
  }

  @Test
  void clear_fromMutation_isRefusedOrDoneFirst() throws Exception {
    GridFixture<K, V> fixture = fixture();
    for (int i = 0; i < 100; i++) {
      fixture.put("k" + i, "v");
    }
    Runnable nested =
        () ->
            fixture.write(
                "k1",
                (_, effect) -> {
                  fixture.home().clear();
                  effect.store(kind.value("2"), -1, -1);
                });

    if (fixture.promises(Promise.DECIDES_UNDER_THE_LOCK)) {
      assertThrows(IllegalStateException.class, nested::run);
      assertEquals("v", fixture.get("k1"));
    } else {
      nested.run();
      assertEquals("2", fixture.get("k1"));
      assertEquals(1, fixture.home().size());
    }
    fixture.put("k1", "3");
    assertEquals("3", fixture.get("k1"));
  }

  @Test
  void mutation_thatThrows_changesNothingAndFreesTheLock() throws Exception {
    GridFixture<K, V> fixture = fixture();
    ChangeRecorder<K, V> recorder = fixture.record();
    fixture.put("a", "1");
    fixture.take(recorder);

    assertThrows(
        ArithmeticException.class,
        () ->
            fixture.write(
                "a",
                (_, effect) -> {
                  effect.remove();
                  throw new ArithmeticException("on purpose");
                }));

    int index = fixture.segmentOf("a");
    assertFalse(fixture.engine("a").container.segmentAt(index).isLockedByMe());
    assertEquals("1", fixture.get("a"));
    assertEquals(List.of(), fixture.take(recorder));
  }

  @Test
  void reads_fromMutation_workOnTheSameSegment() throws Exception {
    GridFixture<K, V> fixture = fixture();
    String expired = fixture.neighbour("a");
    fixture.put("a", "1");
    fixture.write(expired, fixture.putting("x").expiry(10, -1));
    fixture.moveClock(10);

    fixture.write(
        "a",
        (_, effect) -> {
          assertEquals("1", fixture.get(fixture.engine("a"), "a"));
          assertNull(fixture.get(fixture.engine("a"), expired));
          assertTrue(fixture.home().size() >= 1);
          fixture.answering(fixture.segmentOf("a")).snapshot(fixture.segmentOf("a"));
          effect.store(kind.value("2"), -1, -1);
        });

    assertEquals("2", fixture.get("a"));
    assertNull(fixture.get(expired));
    assertEquals(1, fixture.home().size());
  }

  @Test
  void end_ofTheCache_refusesEveryOperationAndFreesTheEntries() throws Exception {
    int tasks = tasksWithoutCache();
    GridFixture<K, V> fixture = fixture();
    fixture.put("a", "1");
    assertFalse(fixture.home().isClosed());

    CacheEngine<K, V> home = fixture.home();
    fixture.grids.remove(GridFixture.NAME);
    home.close();

    assertEquals(tasks, tasksOfQuietNodes(fixture));
    for (CacheEngine<K, V> engine : fixture.everywhere()) {
      assertTrue(engine.isClosed());
      assertEquals(0, engine.container.segmentAt(engine.segmentOf(0)).count());
      List<Executable> operations =
          List.of(
              () -> fixture.get(engine, "a"),
              () -> fixture.write(engine, "a", fixture.putting("1")),
              engine::clear,
              engine::size,
              engine::approximateSize,
              () -> engine.snapshot(0),
              () -> fixture.record(engine));
      for (Executable operation : operations) {
        FatalGridException refusal = assertThrows(FatalGridException.class, operation);
        assertTrue(String.valueOf(refusal.getMessage()).startsWith("cache closed: cache=c"));
      }
    }
  }

  private int tasksWithoutCache() throws Exception {
    GridFixture<K, V> fixture = fixture();
    fixture.grids.remove(GridFixture.NAME);
    return tasksOfQuietNodes(fixture);
  }

  /** Nodes that had something to do a moment ago have one task more. */
  private int tasksOfQuietNodes(GridFixture<K, V> fixture) {
    fixture.grids.time.pass(1000);
    return fixture.grids.time.periodicTasks();
  }

  @Test
  void close_fromMutation_letsItEnd() throws Exception {
    GridFixture<K, V> fixture = fixture();
    for (int i = 0; i < 100; i++) {
      fixture.put("k" + i, "v");
    }
    CacheEngine<K, V> engine = fixture.engine("k1");

    fixture.write(
        "k1",
        (_, effect) -> {
          engine.close();
          effect.store(kind.value("2"), -1, -1);
        });

    assertThrows(FatalGridException.class, () -> fixture.get(engine, "k1"));
  }

  @Test
  void engine_whenMade_tellsWhatItWasMadeOf() throws Exception {
    GridFixture<K, V> fixture = fixture();

    for (CacheEngine<K, V> engine : fixture.everywhere()) {
      assertEquals("c", engine.name());
      assertEquals(GridFixture.SEGMENTS, engine.segmentCount());
      assertEquals(GridFixture.SEGMENTS, engine.config().segments());
      assertEquals(setting.storage(), engine.config().storage());
      assertEquals(setting.mode(), engine.config().mode());
      assertEquals(fixture.nowMillis(), engine.nowMillis());
    }
  }
}
