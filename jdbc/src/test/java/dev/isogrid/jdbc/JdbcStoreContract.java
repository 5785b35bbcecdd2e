package dev.isogrid.jdbc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidConfigurationException;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.StoreConfig;
import dev.isogrid.api.StoreContext;
import dev.isogrid.api.StoreEntry;
import dev.isogrid.api.StoreStats;
import dev.isogrid.api.WriteBehind;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The behaviour of a store in every database. */
abstract class JdbcStoreContract {
  private static int lastTable;

  /** The URL of the database. */
  abstract String url();

  /** A cache name that no other test has. */
  private static synchronized String newName() {
    lastTable++;
    return "c" + lastTable;
  }

  private JdbcStore open(String cache, Map<String, String> more) throws SQLException {
    Map<String, String> properties = new HashMap<>(more);
    properties.put("connection-url", url());
    JdbcStore store = new JdbcStore();
    store.open(new StoreContext(cache, properties, 8, JdbcStoreContract.class.getClassLoader()));
    return store;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static StoreEntry<byte[], byte[]> entry(String key, String value) {
    return new StoreEntry<>(bytes(key), bytes(value), 3, -1, -1, 0, null);
  }

  private static String text(StoreEntry<byte[], byte[]> entry) {
    return new String(entry.key(), StandardCharsets.UTF_8)
        + "="
        + new String(entry.value(), StandardCharsets.UTF_8);
  }

  @Test
  void write_insertsAndReplaces() throws SQLException {
    try (JdbcStore store = open(newName(), Map.of())) {
      assertNull(store.load(bytes("a")));
      store.write(List.of(entry("b", "1"), entry("a", "1")));
      store.write(List.of(entry("a", "2")));
      assertEquals("a=2", text(Objects.requireNonNull(store.load(bytes("a")))));
      List<String> found = new ArrayList<>();
      store.loadAll(List.of(bytes("a"), bytes("b"), bytes("c")), each -> found.add(text(each)));
      assertEquals(List.of("a=2", "b=1"), found.stream().sorted().toList());
      store.delete(List.of(bytes("a"), bytes("none")));
      assertNull(store.load(bytes("a")));
      store.clear();
      assertNull(store.load(bytes("b")));
    }
  }

  @Test
  void entry_hasAllAttributes() throws SQLException {
    try (JdbcStore store = open(newName(), Map.of())) {
      byte[] value = new byte[100_000];
      for (int i = 0; i < value.length; i++) {
        value[i] = (byte) i;
      }
      byte[] key = {0, -1, 127, -128, '\'', '"', '\\'};
      StoreEntry<byte[], byte[]> written =
          new StoreEntry<>(key, value, 7, 123_456_789_012L, 5000, 0xcafebabe, "text/plain");
      store.write(List.of(written));
      StoreEntry<byte[], byte[]> read = Objects.requireNonNull(store.load(key));
      assertArrayEquals(key, read.key());
      assertArrayEquals(value, read.value());
      assertEquals(7, read.segment());
      assertEquals(123_456_789_012L, read.expiryMillis());
      assertEquals(5000, read.maxIdleMillis());
      assertEquals(0xcafebabe, read.clientFlags());
      assertEquals("text/plain", read.mediaType());
    }
  }

  @Test
  void publish_showsTheWantedSegments() throws SQLException {
    try (JdbcStore store = open(newName(), Map.of())) {
      List<StoreEntry<byte[], byte[]>> all = new ArrayList<>();
      for (int i = 0; i < 2500; i++) {
        all.add(new StoreEntry<>(bytes("k" + i), bytes("v"), i % 8, -1, -1, 0, null));
      }
      store.write(all);
      List<Integer> seen = new ArrayList<>();
      store.publish(segment -> segment < 4, each -> seen.add(each.segment()));
      assertEquals(2500 / 8 * 4 + 4, seen.size());
      assertEquals(new TreeSet<>(List.of(0, 1, 2, 3)), new TreeSet<>(seen));
    }
  }

  @Test
  void deleteExpired_leavesWhatLives() throws SQLException {
    try (JdbcStore store = open(newName(), Map.of())) {
      store.write(
          List.of(
              new StoreEntry<>(bytes("old"), bytes("v"), 0, 1000, -1, 0, null),
              new StoreEntry<>(bytes("young"), bytes("v"), 0, 2000, -1, 0, null),
              entry("immortal", "v")));
      store.deleteExpired(1000);
      assertNull(store.load(bytes("old")));
      assertEquals("young=v", text(Objects.requireNonNull(store.load(bytes("young")))));
      assertEquals("immortal=v", text(Objects.requireNonNull(store.load(bytes("immortal")))));
    }
  }

  @Test
  void table_hasTheNamesAndTypesOfTheConfiguration() throws SQLException {
    String cache = newName();
    Map<String, String> names =
        Map.of(
            "table.prefix", "mine",
            "id-column.name", "k",
            "id-column.type", "VARCHAR(300)",
            "data-column.name", "v",
            "timestamp-column.name", "t",
            "segment-column.name", "s");
    try (JdbcStore store = open(cache, names)) {
      store.write(List.of(entry("a", "1")));
      assertEquals("a=1", text(Objects.requireNonNull(store.load(bytes("a")))));
    }
    try (JdbcStore again = open(cache, names)) {
      assertEquals("a=1", text(Objects.requireNonNull(again.load(bytes("a")))));
    }
    try (JdbcStore other = open(cache, Map.of())) {
      assertNull(other.load(bytes("a")), "another table");
    }
  }

  @Test
  void table_isDroppedAtTheEnd_ifItIsSoConfigured() throws SQLException {
    String cache = newName();
    try (JdbcStore store = open(cache, Map.of("table.drop-on-exit", "true"))) {
      store.write(List.of(entry("a", "1")));
    }
    assertThrows(SQLException.class, () -> open(cache, Map.of("table.create-on-start", "false")));
  }

  @Test
  void open_refusesWhatIsNotThere() {
    for (Map<String, String> wrong :
        List.of(
            Map.of("dialect", "ORACLE"),
            Map.of("driver", "com.acme.Driver"),
            Map.of("table.prefix", "a\"; DROP TABLE b"),
            Map.of("pool.max-size", "0"))) {
      assertThrows(
          InvalidConfigurationException.class, () -> open(newName(), wrong), wrong.toString());
    }
  }

  private Grid grid() {
    return Grid.start(GridConfig.builder().nodeName("n").build());
  }

  private CacheConfig.Builder config(StorageType storage) {
    return CacheConfig.builder().storage(storage).segments(8);
  }

  private StoreConfig.Builder backing() {
    return StoreConfig.named("jdbc").property("connection-url", url());
  }

  @ParameterizedTest
  @EnumSource(StorageType.class)
  void cache_outlivesItsGrid(StorageType storage) {
    String name = newName();
    CacheConfig config = config(storage).store(backing().build()).build();
    try (Grid grid = grid()) {
      Cache<String, List<Integer>> cache = grid.createCache(name, config);
      cache.put("a", List.of(1, 2));
      cache.put("b", List.of(3), Expiry.lifespan(java.time.Duration.ofHours(1)));
      cache.put("c", List.of());
      cache.remove("c");
    }
    try (Grid grid = grid()) {
      Cache<String, List<Integer>> cache = grid.createCache(name, config);
      assertEquals(List.of(1, 2), cache.get("a"));
      assertEquals(List.of(3), cache.get("b"));
      assertTrue(Objects.requireNonNull(cache.getEntry("b")).lifespanMillis() > 0);
      assertNull(cache.get("c"));
    }
  }

  @Test
  void cache_thatWritesBehind_hasAllInTheStoreAtItsEnd() {
    String name = newName();
    Map<String, Integer> entries = new HashMap<>();
    for (int i = 0; i < 3000; i++) {
      entries.put("key-" + i, i);
    }
    try (Grid grid = grid()) {
      Cache<String, Integer> cache =
          grid.createCache(
              name,
              config(StorageType.HEAP_BINARY)
                  .store(backing().writeBehind(WriteBehind.DEFAULT).build())
                  .build());
      cache.putAll(entries);
    }
    try (Grid grid = grid()) {
      Cache<String, Integer> cache =
          grid.createCache(
              name, config(StorageType.HEAP_BINARY).store(backing().preload(true).build()).build());
      assertEquals(3000, cache.size());
      assertEquals(entries, cache.getAll(entries.keySet()));
      StoreStats stats = Objects.requireNonNull(cache.storeStats());
      assertEquals(0, stats.loads());
    }
  }
}
