package dev.isogrid.engine;

import static dev.isogrid.api.CacheEvent.Kind.EXPIRED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheStats;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.engine.ChangeRecorder.Told;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.ObjectTables;
import dev.isogrid.store.Segment;
import dev.isogrid.store.TextKind;
import dev.isogrid.store.UserMutation;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The reads and writes that only caches of objects have. */
class ObjectCacheEngineTest {
  private final EngineFixture<Object, Object> fixture =
      new EngineFixture<>(TextKind.OBJECTS, CacheConfig.builder().statistics(true));

  @Test
  void readObject_ofPresentAndAbsentKey_countsHitAndMiss() {
    fixture.put("a", "1");

    assertEquals("1", fixture.engine.readObject("a", ObjectTables.hash("a")));
    assertNull(fixture.engine.readObject("b", ObjectTables.hash("b")));

    assertEquals(
        new CacheStats(fixture.env.nowMillis(), 1, 1, 1, 0, 0, 0, 0), fixture.engine.stats());
  }

  @Test
  void readObject_ofExpiredEntry_findsNothingAndTellsOnce() {
    fixture.write("a", fixture.putting("1").expiry(10, -1));
    ChangeRecorder<Object, Object> recorder = fixture.record();
    fixture.env.moveClock(10);

    assertNull(fixture.engine.readObject("a", ObjectTables.hash("a")));
    assertNull(fixture.engine.readObject("a", ObjectTables.hash("a")));

    assertEquals(List.of(new Told(EXPIRED, "a", "1", null)), recorder.take());
    assertEquals(
        new CacheStats(fixture.env.nowMillis() - 10, 0, 2, 1, 0, 0, 1, 0), fixture.engine.stats());
  }

  @Test
  void readObject_ofClosedCache_isRefused() {
    fixture.engine.close();

    assertThrows(
        FatalGridException.class, () -> fixture.engine.readObject("a", ObjectTables.hash("a")));
  }

  private @Nullable Object putShort(String key, String value) {
    return fixture.engine.putObject(key, ObjectTables.hash(key), value);
  }

  private boolean refusesShort(String key) {
    Long version = fixture.version(key);
    boolean isRefused = Segment.isUnclear(putShort(key, "short"));
    return isRefused && Objects.equals(version, fixture.version(key));
  }

  @Test
  void putObject_ofNewAndPresentKey_givesTheValueBeforeAndANewVersion() {
    assertNull(putShort("a", "1"));
    Long first = fixture.version("a");
    assertEquals("1", putShort("a", "2"));

    assertEquals("2", fixture.get("a"));
    assertEquals(Objects.requireNonNull(first) + 1, fixture.version("a"));
    assertEquals(2, Objects.requireNonNull(fixture.engine.stats()).stores());
    assertEquals(1, fixture.engine.size());
  }

  @Test
  void putObject_ofManyKeys_keepsAll() {
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 1_000; i++) {
        assertEquals(round == 0 ? null : "v" + i, putShort("k" + i, "v" + i));
      }
    }
    assertEquals(1_000, fixture.engine.size());
    assertEquals("v999", fixture.get("k999"));
  }

  @Test
  void putObject_ofEntryWithTimesOrAttributes_isLeftToTheLongWay() {
    fixture.write("mortal", fixture.putting("1").expiry(10, -1));
    fixture.write("flagged", fixture.putting("1").attributes(7, null));

    assertTrue(refusesShort("mortal"));
    assertTrue(refusesShort("flagged"));
  }

  @Test
  void putObject_whereDefaultTimesListenersOrABoundCount_isLeftToTheLongWay() {
    fixture.put("a", "1");
    ChangeRecorder<Object, Object> recorder = fixture.record();
    assertTrue(refusesShort("a"));
    assertEquals(List.of(), recorder.take());

    EngineFixture<Object, Object> timed =
        new EngineFixture<>(TextKind.OBJECTS, CacheConfig.builder().lifespan(1, TimeUnit.HOURS));
    assertTrue(Segment.isUnclear(timed.engine.putObject("a", ObjectTables.hash("a"), "1")));
    EngineFixture<Object, Object> bounded =
        new EngineFixture<>(TextKind.OBJECTS, CacheConfig.builder().maxCount(10));
    assertTrue(Segment.isUnclear(bounded.engine.putObject("a", ObjectTables.hash("a"), "1")));
  }

  @Test
  void putObject_ofAFunctionForItsOwnKey_isRefused() {
    UserMutation<Object, Object> function =
        new UserMutation<>() {
          @Override
          public Object userKey() {
            return "a";
          }

          @Override
          public boolean look(EntryView<Object, Object> current) {
            return true;
          }

          @Override
          public void decide(Effect<Object> effect) {
            putShort("a", "2");
          }
        };

    assertThrows(IllegalStateException.class, () -> fixture.write("a", function));
    assertNull(fixture.get("a"));
  }

  @Test
  void putObject_ofClosedCache_isRefused() {
    fixture.engine.close();

    assertThrows(FatalGridException.class, () -> putShort("a", "1"));
  }
}
