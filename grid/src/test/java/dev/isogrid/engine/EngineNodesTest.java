package dev.isogrid.engine;

import static dev.isogrid.api.CacheEvent.Kind.CREATED;
import static dev.isogrid.api.CacheEvent.Kind.MODIFIED;
import static dev.isogrid.api.CacheEvent.Kind.REMOVED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.engine.ChangeRecorder.Told;
import dev.isogrid.engine.KeyWrite.Condition;
import dev.isogrid.engine.KeyWrite.Outcome;
import dev.isogrid.node.CacheSetting;
import dev.isogrid.node.CacheSetting.Promise;
import dev.isogrid.store.EntryView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Writes on one node, as all nodes see them.
 *
 * @param <K> the stored form of keys
 * @param <V> the stored form of values
 */
class EngineNodesTest<K, V> extends GridContract<K, V> {
  EngineNodesTest(CacheSetting setting) {
    super(setting);
  }

  /** That a node sees what another one wrote, as far as it is promised. */
  private void assertSeen(
      GridFixture<K, V> fixture, CacheEngine<K, V> writer, String key, String value, String old) {
    for (CacheEngine<K, V> reader : fixture.everywhere()) {
      String seen = fixture.get(reader, key);
      if (fixture.promises(Promise.SHARES_ENTRIES) || reader.equals(writer)) {
        assertEquals(value, seen);
      } else if (fixture.promises(Promise.WRITES_ARE_SEEN_AT_ONCE)) {
        assertNull(seen, "never an older value");
      } else {
        assertTrue(seen == null || seen.equals(old), "an older value for some time, or none");
      }
    }
  }

  private void awaitSeen(GridFixture<K, V> fixture, CacheEngine<K, V> writer, String key) {
    if (!fixture.promises(Promise.WRITES_ARE_SEEN_AT_ONCE)) {
      fixture.grids.await(() ->
          fixture.everywhere().stream()
              .allMatch(reader -> reader.equals(writer) || fixture.get(reader, key) == null));
    }
  }

  @Test
  void put_onEachNode_isSeenOnAll() throws Exception {
    GridFixture<K, V> fixture = fixture();
    String old = "none";
    for (int i = 0; i < 9; i++) {
      CacheEngine<K, V> writer = fixture.everywhere().get(i % fixture.everywhere().size());
      String value = "v" + i;
      fixture.write(writer, "a", fixture.putting(value));

      assertSeen(fixture, writer, "a", value, old);
      awaitSeen(fixture, writer, "a");
      fixture.settle();
      assertSeen(fixture, writer, "a", value, "none");
      old = value;
    }
  }

  @Test
  void remove_onEachNode_isSeenOnAll() throws Exception {
    GridFixture<K, V> fixture = fixture();
    for (CacheEngine<K, V> remover : fixture.everywhere()) {
      fixture.put("a", "1");
      fixture.settle();
      KeyWrite<K, V> removal = fixture.removing();
      fixture.write(remover, "a", removal);
      boolean wasThere = fixture.promises(Promise.SHARES_ENTRIES) || remover.equals(fixture.home());
      assertEquals(wasThere ? Outcome.DONE : Outcome.KEY_ABSENT, removal.outcome());

      awaitSeen(fixture, remover, "a");
      for (CacheEngine<K, V> reader : fixture.everywhere()) {
        assertNull(fixture.get(reader, "a"));
      }
      assertEquals(0, fixture.home().size());
    }
  }

  @Test
  void clear_onEachNode_isSeenOnAll() throws Exception {
    GridFixture<K, V> fixture = fixture();
    for (CacheEngine<K, V> clearer : fixture.everywhere()) {
      for (int i = 0; i < 30; i++) {
        fixture.put("k" + i, "v");
      }
      fixture.settle();
      clearer.clear();

      for (int i = 0; i < 30; i++) {
        awaitSeen(fixture, clearer, "k" + i);
        for (CacheEngine<K, V> reader : fixture.everywhere()) {
          assertNull(fixture.get(reader, "k" + i));
        }
      }
      fixture.settle();
      for (CacheEngine<K, V> engine : fixture.everywhere()) {
        assertEquals(0, engine.size());
        assertEquals(0, engine.approximateSize());
      }
    }
  }

  @Test
  void size_onEachNode_countsEachEntryOnce() throws Exception {
    GridFixture<K, V> fixture = fixture();
    for (int i = 0; i < 50; i++) {
      fixture.put("k" + i, "v");
      fixture.put("k" + i / 2, "w");
    }
    for (CacheEngine<K, V> engine : fixture.everywhere()) {
      boolean has = fixture.promises(Promise.SHARES_ENTRIES) || engine.equals(fixture.home());
      assertEquals(has ? 50 : 0, engine.size());
      assertEquals(has ? 50 : 0, walked(fixture, engine).size());
    }
  }

  private Set<String> walked(GridFixture<K, V> fixture, CacheEngine<K, V> engine) {
    Set<String> keys = new TreeSet<>();
    EntryView<K, V> view = engine.newView();
    EntryWalk<K, V> walk = engine.walk();
    while (walk.next(view)) {
      assertTrue(keys.add(fixture.kind.keyText(view.key())), "an entry twice");
    }
    return keys;
  }

  @Test
  void version_ofAnEntry_isTheSameOnAllNodes() throws Exception {
    GridFixture<K, V> fixture = fixture();
    List<Long> versions = new ArrayList<>();
    for (CacheEngine<K, V> writer : fixture.everywhere()) {
      long version = fixture.write(writer, "a", fixture.putting("1"));
      versions.add(version);
      awaitSeen(fixture, writer, "a");
      fixture.settle();
      for (CacheEngine<K, V> reader : fixture.everywhere()) {
        boolean has = fixture.promises(Promise.SHARES_ENTRIES) || reader.equals(writer);
        assertEquals(has ? version : null, fixture.read(reader, "a", EntryView::version));
      }
    }
    if (fixture.promises(Promise.SHARES_ENTRIES)) {
      assertEquals(versions.size(), new HashSet<>(versions).size());
      assertEquals(versions.stream().sorted().toList(), versions);
    }
  }

  private void assertWrite(
      GridFixture<K, V> fixture, String key, KeyWrite<K, V> write, Outcome outcome) {
    long version = fixture.write(key, write);
    assertEquals(outcome, write.outcome());
    boolean changes = outcome == Outcome.DONE;
    assertEquals(changes, version != 0);
  }

  @Test
  void conditions_ofWrites_areThoseOfTheLatestEntry() throws Exception {
    GridFixture<K, V> fixture = fixture();
    assertWrite(fixture, "a", fixture.putting("1").when(Condition.PRESENT), Outcome.KEY_ABSENT);
    assertWrite(fixture, "a", fixture.removing().whenVersion(7), Outcome.KEY_ABSENT);
    assertWrite(fixture, "a", fixture.putting("1").when(Condition.ABSENT), Outcome.DONE);
    assertWrite(fixture, "a", fixture.putting("2").when(Condition.ABSENT), Outcome.KEY_PRESENT);
    long first = Objects.requireNonNull(fixture.version("a"));
    assertWrite(fixture, "a", fixture.putting("2").when(Condition.PRESENT), Outcome.DONE);
    long second = Objects.requireNonNull(fixture.version("a"));
    assertNotEquals(first, second);
    assertWrite(fixture, "a", fixture.putting("x").whenVersion(first), Outcome.OTHER_VERSION);
    assertWrite(fixture, "a", fixture.removing().whenVersion(first), Outcome.OTHER_VERSION);
    assertEquals("2", fixture.get("a"));
    assertWrite(fixture, "a", fixture.putting("3").whenVersion(second), Outcome.DONE);
    assertWrite(fixture, "a", fixture.removing().whenVersion(second), Outcome.OTHER_VERSION);
    long third = Objects.requireNonNull(fixture.version("a"));
    assertWrite(fixture, "a", fixture.removing().whenVersion(third), Outcome.DONE);
    assertNull(fixture.get("a"));
  }

  @Test
  void previousEntry_whenAskedFor_isThatBeforeTheWrite() throws Exception {
    GridFixture<K, V> fixture = fixture();
    List<String> seen = new ArrayList<>();
    fixture.write("a", fixture.putting("1").readingPrevious(e -> seen.add(text(e))));
    assertEquals(List.of(), seen);
    fixture.write("a", fixture.putting("2").readingPrevious(e -> seen.add(text(e))));
    KeyWrite<K, V> refused = fixture.putting("x").when(Condition.ABSENT);
    fixture.write("a", refused.readingPrevious(e -> seen.add(text(e))));
    fixture.write("a", fixture.removing().readingPrevious(e -> seen.add(text(e))));
    fixture.write("a", fixture.removing().readingPrevious(e -> seen.add(text(e))));

    assertEquals(List.of("1", "2", "2"), seen);
  }

  private String text(EntryView<K, V> entry) {
    return kind.text(entry.value());
  }

  @Test
  void attributes_ofAnEntry_areReadAsTheyWereWritten() throws Exception {
    GridFixture<K, V> fixture = fixture();
    fixture.write("a", fixture.putting("1").attributes(0xCAFE, "text/plain"));
    fixture.settle();
    for (CacheEngine<K, V> engine : fixture.everywhere()) {
      boolean has = fixture.promises(Promise.SHARES_ENTRIES) || engine.equals(fixture.home());
      String read = fixture.read(engine, "a", e -> e.clientFlags() + " " + e.mediaType());
      assertEquals(has ? 0xCAFE + " text/plain" : null, read);
    }
    fixture.touch("a", 5000, -1);
    assertEquals(0xCAFE, fixture.<Integer>read(fixture.engine("a"), "a", EntryView::clientFlags));
    fixture.put("a", "2");
    assertEquals(0, fixture.<Integer>read(fixture.engine("a"), "a", EntryView::clientFlags));
  }

  @Test
  void silentWrites_areToldNobody() throws Exception {
    GridFixture<K, V> fixture = fixture();
    List<ChangeRecorder<K, V>> recorders = recorders(fixture);
    fixture.write("a", fixture.putting("1").silent(true));
    fixture.write("a", fixture.putting("2").silent(true));
    fixture.write("a", fixture.removing().silent(true));

    for (ChangeRecorder<K, V> recorder : recorders) {
      assertEquals(List.of(), fixture.take(recorder));
    }
    fixture.put("a", "3");
    for (ChangeRecorder<K, V> recorder : recorders) {
      boolean hears = hears(fixture, recorders.indexOf(recorder));
      List<Told> told = List.of(new Told(CREATED, "a", null, "3"));
      assertEquals(hears ? told : List.of(), fixture.take(recorder));
    }
  }

  private List<ChangeRecorder<K, V>> recorders(GridFixture<K, V> fixture) throws Exception {
    List<ChangeRecorder<K, V>> recorders = new ArrayList<>();
    for (CacheEngine<K, V> engine : fixture.everywhere()) {
      recorders.add(fixture.record(engine));
    }
    return recorders;
  }

  private boolean hears(GridFixture<K, V> fixture, int node) {
    return fixture.promises(Promise.SHARES_ENTRIES)
        || fixture.everywhere().get(node).equals(fixture.home());
  }

  @Test
  void listeners_onAllNodes_areToldOfEachChangeOnceInOrder() throws Exception {
    GridFixture<K, V> fixture = fixture();
    List<ChangeRecorder<K, V>> recorders = recorders(fixture);
    fixture.put("a", "1");
    fixture.put("a", "2");
    fixture.remove("a");
    fixture.put("a", "3");
    fixture.home().clear();

    List<Told> all =
        List.of(
            new Told(CREATED, "a", null, "1"),
            new Told(MODIFIED, "a", "1", "2"),
            new Told(REMOVED, "a", "2", null),
            new Told(CREATED, "a", null, "3"),
            new Told(REMOVED, "a", "3", null));
    for (int i = 0; i < recorders.size(); i++) {
      assertEquals(hears(fixture, i) ? all : List.of(), fixture.take(recorders.get(i)));
    }
  }

  @Test
  void listenerOfOtherNode_whereEntriesAreEachNodesOwn_hearsThatItsEntryIsGone() throws Exception {
    GridFixture<K, V> fixture = fixture();
    CacheEngine<K, V> last = fixture.everywhere().getLast();
    fixture.write(last, "a", fixture.putting("1"));
    ChangeRecorder<K, V> recorder = fixture.record(last);
    fixture.write(fixture.everywhere().getFirst(), "a", fixture.putting("2"));

    boolean shares = fixture.promises(Promise.SHARES_ENTRIES);
    Told told = shares ? new Told(MODIFIED, "a", "1", "2") : new Told(REMOVED, "a", "1", null);
    if (!fixture.promises(Promise.WRITES_ARE_SEEN_AT_ONCE)) {
      fixture.grids.await(() -> last.approximateSize() == 0);
    }
    assertEquals(List.of(told), fixture.take(recorder));
  }

  // Many keys

  @Test
  void bulk_ofManyKeys_storesAndFindsAll() throws Exception {
    GridFixture<K, V> fixture = fixture();
    CacheEngine<K, V> home = fixture.home();
    Bulk<K, V> puts = home.bulk();
    for (int i = 0; i < 60; i++) {
      K key = kind.key("k" + i);
      puts.write(key, kind.hash(key), fixture.putting("v" + i));
    }
    puts.await();
    for (CacheEngine<K, V> engine : fixture.everywhere()) {
      boolean has = fixture.promises(Promise.SHARES_ENTRIES) || engine.equals(home);
      Set<String> found = new HashSet<>();
      Bulk<K, V> reads = engine.bulk();
      for (int i = 0; i < 80; i++) {
        K key = kind.key("k" + i);
        reads.read(key, kind.hash(key), entry -> found.add(text(entry)));
      }
      reads.await();
      assertEquals(has ? 60 : 0, found.size());
      assertEquals(has, found.contains("v59"));
    }
    assertEquals(60, home.size());
  }

  // Nodes that die

  @Test
  void write_whosePrimaryDies_isThereOrIsUndone() throws Exception {
    GridFixture<K, V> fixture = fixture(CacheConfig.builder());
    fixture.put("a", "1");
    fixture.settle();
    long version = fixture.put("a", "2");
    if (!setting.hasOwners()) {
      return; // nobody can take over
    }
    CacheEngine<K, V> primary = fixture.killPrimary("a");

    String found = fixture.get(primary, "a");
    if (fixture.promises(Promise.OUTLIVES_ITS_PRIMARY)) {
      assertEquals("2", found);
      assertEquals(version, fixture.<Long>read(primary, "a", EntryView::version));
    } else {
      assertTrue("2".equals(found) || "1".equals(found), found);
    }
    long next = fixture.write(primary, "a", fixture.putting("3"));
    assertTrue(next > version, "a version is that of one write");
    for (CacheEngine<K, V> engine : fixture.everywhere()) {
      assertEquals("3", fixture.get(engine, "a"));
    }
  }

  @Test
  void listener_whenThePrimaryDies_missesNothing() throws Exception {
    GridFixture<K, V> fixture = fixture();
    if (!setting.hasOwners()) {
      return; // nobody can take over
    }
    CacheEngine<K, V> last =
        fixture.engineOf(
            fixture.grids.node(
                CacheSetting.Viewpoint.BACKUP, GridFixture.NAME, fixture.segmentOf("a")));
    ChangeRecorder<K, V> recorder = fixture.record(last);
    fixture.put("a", "1");
    fixture.settle();
    CacheEngine<K, V> primary = fixture.killPrimary("a");
    fixture.write(primary, "a", fixture.putting("2"));

    assertEquals(
        List.of(new Told(CREATED, "a", null, "1"), new Told(MODIFIED, "a", "1", "2")),
        fixture.take(recorder));
  }
}
