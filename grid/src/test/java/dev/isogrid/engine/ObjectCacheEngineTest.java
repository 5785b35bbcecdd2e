package dev.isogrid.engine;

import static dev.isogrid.api.CacheEvent.Kind.EXPIRED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheStats;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.engine.ChangeRecorder.Told;
import dev.isogrid.store.ObjectTables;
import dev.isogrid.store.TextKind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The reads that only caches of objects have. */
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
}
