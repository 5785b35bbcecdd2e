package dev.isogrid.engine;

import static dev.isogrid.api.CacheEvent.Kind.CREATED;
import static dev.isogrid.api.CacheEvent.Kind.MODIFIED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.WhenFull;
import dev.isogrid.engine.ChangeRecorder.Told;
import dev.isogrid.store.TextKind;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Puts of many keys, over every kind of container. */
class SegmentPutsTest {
  private static List<TextKind<?, ?>> kinds() {
    return List.of(
        TextKind.OBJECTS, TextKind.BINARY, TextKind.OFF_HEAP, TextKind.COMPRESSED_OFF_HEAP);
  }

  private static <K, V> void putAll(EngineFixture<K, V> fixture, String value, String... keys) {
    Bulk<K, V> bulk = fixture.engine.bulk();
    for (String key : keys) {
      K stored = fixture.kind.key(key);
      bulk.write(stored, fixture.kind.hash(stored), fixture.putting(value));
    }
    bulk.await();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  <K, V> void putsOfASegment_areEachAnEventAndAStore(TextKind<K, V> kind) {
    EngineFixture<K, V> fixture = new EngineFixture<>(kind, CacheConfig.builder().statistics(true));
    String other = fixture.neighbour("a");
    fixture.put("a", "1");
    ChangeRecorder<K, V> recorder = fixture.record();

    putAll(fixture, "2", "a", other, "a");

    assertEquals(
        List.of(new Told(MODIFIED, "a", "1", "2"), new Told(CREATED, other, null, "2")),
        recorder.take());
    assertTrue(
        Objects.requireNonNull(fixture.version("a"))
            < Objects.requireNonNull(fixture.version(other)));
    assertEquals(3, Objects.requireNonNull(fixture.engine.stats()).stores());
  }

  @ParameterizedTest
  @MethodSource("kinds")
  <K, V> void putsOfASegment_withoutRoomForAll_areNotDone(TextKind<K, V> kind) {
    EngineFixture<K, V> fixture =
        new EngineFixture<>(kind, CacheConfig.builder().maxCount(2).whenFull(WhenFull.EXCEPTION));
    String other = fixture.neighbour("a");
    fixture.put("a", "1");
    fixture.put("b", "1");

    assertThrows(CacheFullException.class, () -> putAll(fixture, "2", "a", other));
    assertEquals("1", fixture.get("a"));
    assertEquals(2, fixture.engine.size());
    fixture.remove("b");
    putAll(fixture, "3", "a", other);
    assertEquals("3", fixture.get("a"));
    assertEquals("3", fixture.get(other));
    assertThrows(CacheFullException.class, () -> fixture.put("b", "3"));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  <K, V> void putsOfASegment_areSeenTogether(TextKind<K, V> kind) throws Exception {
    EngineFixture<K, V> fixture = new EngineFixture<>(kind, CacheConfig.builder().statistics(true));
    String[] keys = new String[40];
    keys[0] = "a";
    for (int i = 1, n = 0; i < keys.length; n++) {
      if (fixture.segmentOf("n" + n) == fixture.segmentOf("a")) {
        keys[i++] = "n" + n;
      }
    }
    putAll(fixture, "100000", keys);
    AtomicBoolean isEnded = new AtomicBoolean();
    CompletableFuture<Integer> reading =
        CompletableFuture.supplyAsync(() -> {
          int reads = 0;
          for (; !isEnded.get(); reads++) {
            int first = Integer.parseInt(Objects.requireNonNull(fixture.get(keys[0])));
            int last = Integer.parseInt(Objects.requireNonNull(fixture.get(keys[39])));
            assertTrue(last >= first, first + " is there, and so is " + last);
          }
          return reads;
        });
    for (int i = 100001; i < 102000 && !reading.isDone(); i++) {
      putAll(fixture, String.valueOf(i), keys);
    }
    isEnded.set(true);
    assertTrue(reading.get(120, TimeUnit.SECONDS) > 0);
  }
}
