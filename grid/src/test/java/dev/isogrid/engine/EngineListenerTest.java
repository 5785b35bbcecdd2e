package dev.isogrid.engine;

import static dev.isogrid.api.CacheEvent.Kind.CREATED;
import static dev.isogrid.api.CacheEvent.Kind.EXPIRED;
import static dev.isogrid.api.CacheEvent.Kind.MODIFIED;
import static dev.isogrid.api.CacheEvent.Kind.REMOVED;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.engine.ChangeRecorder.Told;
import dev.isogrid.node.CacheSetting;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The notifications of listeners.
 *
 * @param <K> the stored form of keys
 * @param <V> the stored form of values
 */
class EngineListenerTest<K, V> extends GridContract<K, V> {
  EngineListenerTest(CacheSetting setting) {
    super(setting);
  }

  @Test
  void listener_ofEveryChange_isToldBeforeAndAfter() throws Exception {
    GridFixture<K, V> fixture = fixture();
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
        fixture.take(recorder));
  }

  @Test
  void clear_withListener_tellsOfEachEntry() throws Exception {
    GridFixture<K, V> fixture = fixture();
    ChangeRecorder<K, V> recorder = fixture.record();
    Set<Told> expected = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      fixture.put("k" + i, "v" + i);
      expected.add(new Told(REMOVED, "k" + i, "v" + i, null));
    }
    fixture.write("old", fixture.putting("v").expiry(10, -1));
    expected.add(new Told(EXPIRED, "old", "v", null));
    fixture.moveClock(10);
    fixture.take(recorder);

    fixture.home().clear();

    assertTold(expected, fixture.take(recorder));
    for (CacheEngine<K, V> engine : fixture.everywhere()) {
      assertEquals(0, engine.approximateSize());
    }
    fixture.put("k1", "new");
    assertEquals(List.of(new Told(CREATED, "k1", null, "new")), fixture.take(recorder));
  }

  @Test
  void clear_thatIsSilent_tellsOfNoEntry() throws Exception {
    GridFixture<K, V> fixture = fixture();
    ChangeRecorder<K, V> recorder = fixture.record();
    for (int i = 0; i < 50; i++) {
      fixture.put("k" + i, "v" + i);
    }
    fixture.take(recorder);

    fixture.home().clear(true);

    assertEquals(List.of(), fixture.take(recorder));
    fixture.put("k1", "new");
    assertEquals(List.of(new Told(CREATED, "k1", null, "new")), fixture.take(recorder));
  }

  @Test
  void listener_afterItsSubscriptionIsClosed_isToldNoMore() throws Exception {
    GridFixture<K, V> fixture = fixture();
    ChangeRecorder<K, V> kept = fixture.record();
    ChangeRecorder<K, V> closed = fixture.record();
    fixture.put("a", "1");
    assertEquals(1, fixture.take(closed).size());

    closed.subscription().close();
    closed.subscription().close();
    fixture.put("a", "2");

    assertEquals(List.of(), fixture.take(closed));
    assertEquals(2, fixture.take(kept).size());
  }
}
