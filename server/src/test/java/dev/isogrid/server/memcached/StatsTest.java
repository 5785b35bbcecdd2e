package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.StorageType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatsTest {
  /**
   * The keys in the order of memcached 1.6.18, without those of its library and, here, of threads;
   * with this server's own version.
   */
  private static final List<String> KEYS =
      List.of(
          "pid",
          "uptime",
          "time",
          "version",
          "isogrid_version",
          "pointer_size",
          "rusage_user",
          "rusage_system",
          "max_connections",
          "curr_connections",
          "total_connections",
          "rejected_connections",
          "connection_structures",
          "response_obj_oom",
          "response_obj_count",
          "response_obj_bytes",
          "read_buf_count",
          "read_buf_bytes",
          "read_buf_bytes_free",
          "read_buf_oom",
          "reserved_fds",
          "cmd_get",
          "cmd_set",
          "cmd_flush",
          "cmd_touch",
          "cmd_meta",
          "get_hits",
          "get_misses",
          "get_expired",
          "get_flushed",
          "delete_misses",
          "delete_hits",
          "incr_misses",
          "incr_hits",
          "decr_misses",
          "decr_hits",
          "cas_misses",
          "cas_hits",
          "cas_badval",
          "touch_hits",
          "touch_misses",
          "store_too_large",
          "store_no_memory",
          "auth_cmds",
          "auth_errors",
          "bytes_read",
          "bytes_written",
          "limit_maxbytes",
          "accepting_conns",
          "listen_disabled_num",
          "time_in_listen_disabled_us",
          "conn_yields",
          "hash_power_level",
          "hash_bytes",
          "hash_is_expanding",
          "slab_reassign_rescues",
          "slab_reassign_chunk_rescues",
          "slab_reassign_evictions_nomem",
          "slab_reassign_inline_reclaim",
          "slab_reassign_busy_items",
          "slab_reassign_busy_deletes",
          "slab_reassign_running",
          "slabs_moved",
          "lru_crawler_running",
          "lru_crawler_starts",
          "lru_maintainer_juggles",
          "malloc_fails",
          "log_worker_dropped",
          "log_worker_written",
          "log_watcher_skipped",
          "log_watcher_sent",
          "log_watchers",
          "unexpected_napi_ids",
          "round_robin_fallback",
          "bytes",
          "curr_items",
          "total_items",
          "slab_global_page_pool",
          "expired_unfetched",
          "evicted_unfetched",
          "evicted_active",
          "evictions",
          "reclaimed",
          "crawler_reclaimed",
          "crawler_items_checked",
          "lrutail_reflocked",
          "moves_to_cold",
          "moves_to_warm",
          "moves_within_lru",
          "direct_reclaims",
          "lru_bumps_dropped");

  private final TestServer server = new TestServer();

  @AfterEach
  void close() {
    server.close();
  }

  private Map<String, String> stats(String command) {
    Map<String, String> stats = new LinkedHashMap<>();
    List<String> lines = server.ask(command).lines().toList();
    for (String line : lines.subList(0, lines.size() - 1)) {
      String[] words = line.split(" ", 3);
      assertEquals("STAT", words[0]);
      stats.put(words[1], words[2]);
    }
    assertEquals("END", lines.getLast());
    return stats;
  }

  @Test
  void stats_ofANewServer_hasMemcachedsKeysInItsOrder() {
    server.context.traffic().opened();
    server.context.traffic().read(1000);
    server.context.traffic().written(100);
    server.world.advance(5_500);
    Map<String, String> stats = stats("stats");
    assertEquals(KEYS, List.copyOf(stats.keySet()));
    assertEquals("5", stats.get("uptime"));
    assertEquals(Long.toString(server.world.nowMillis() / 1000), stats.get("time"));
    assertEquals(Long.toString(ProcessHandle.current().pid()), stats.get("pid"));
    assertEquals(TestServer.VERSION, stats.get("version"));
    assertEquals(TestServer.OWN_VERSION, stats.get("isogrid_version"));
    assertEquals("64", stats.get("pointer_size"));
    assertEquals("1", stats.get("curr_connections"));
    assertEquals("1000", stats.get("bytes_read"));
    assertEquals("100", stats.get("bytes_written"));
  }

  @ParameterizedTest
  @CsvSource({
    "get nope, cmd_get=1 get_misses=1",
    "get x x nope, cmd_get=3 get_hits=2 get_misses=1",
    "gets x, cmd_get=1 get_hits=1",
    "gat 0 x nope, cmd_touch=2 touch_hits=1 touch_misses=1",
    "touch x 0, cmd_touch=1 touch_hits=1",
    "touch nope 0, cmd_touch=1 touch_misses=1",
    "set y 0 0 1|1, cmd_set=1 total_items=1 curr_items=1",
    "set x 0 0 1|1, cmd_set=1 total_items=1",
    "set x 0 0 1|xx, cmd_set=1",
    "set x 0 x 0, ''",
    "add x 0 0 1|1, cmd_set=1",
    "replace nope 0 0 1|1, cmd_set=1",
    "append x 0 0 1|1, cmd_set=1 total_items=1",
    "append nope 0 0 1|1, cmd_set=1",
    "cas nope 0 0 1 1|x, cmd_set=1 cas_misses=1",
    "cas x 0 0 1 1|x, cmd_set=1 cas_badval=1",
    "incr x 1, incr_hits=1",
    "incr nope 1, incr_misses=1",
    "incr nope x, ''",
    "decr x 1, decr_hits=1",
    "decr nope 1, decr_misses=1",
    "delete x, delete_hits=1 curr_items=-1",
    "delete nope noreply, delete_misses=1",
    "flush_all, cmd_flush=1 curr_items=-1",
    "flush_all x, cmd_flush=1",
    "set x 0 0 1048577, store_too_large=1 curr_items=-1",
    "add x 0 0 1048577, store_too_large=1",
    "version, ''"
  })
  void stats_afterACommand_countIt(String command, String expected) {
    server.ask("set x 0 0 1", "5");
    Map<String, String> before = stats("stats");
    server.ask(command.split("\\|"));
    Map<String, String> after = stats("stats");
    Map<String, Long> changed = new LinkedHashMap<>();
    for (String key : KEYS.subList(KEYS.indexOf("cmd_get"), KEYS.size())) {
      long difference = Long.parseLong(after.get(key)) - Long.parseLong(before.get(key));
      if (difference != 0) {
        changed.put(key, difference);
      }
    }
    Map<String, Long> wanted = new LinkedHashMap<>();
    for (String pair : expected.split(" ", -1)) {
      if (!pair.isEmpty()) {
        String[] parts = pair.split("=", 2);
        wanted.put(parts[0], Long.valueOf(parts[1]));
      }
    }
    changed.remove("bytes"); // see below
    assertEquals(wanted, changed.isEmpty() ? Map.of() : Map.copyOf(changed));
  }

  @Test
  void stats_ofMemory_areTrueNumbers() {
    assertEquals("0", stats("stats").get("bytes"));
    server.ask("set x 0 0 1", "5", "set y 0 0 100", "1".repeat(100));
    Map<String, String> stats = stats("stats");
    assertEquals(String.valueOf(server.engine().memoryUse().liveBytes()), stats.get("bytes"));
    assertTrue(Long.parseLong(stats.get("bytes")) > 100);
    assertEquals("2", stats.get("curr_items"));
    assertEquals(String.valueOf(server.node.offHeapUse().maxBytes()), stats.get("limit_maxbytes"));
    server.ask("flush_all");
    assertEquals("0", stats("stats").get("bytes"));
  }

  @Test
  void stats_ofBoundedCache_haveItsLimitAndEvictions() {
    server.node.removeCache(TestServer.CACHE);
    server.node.createForServer(
        TestServer.CACHE,
        CacheConfig.builder()
            .storage(StorageType.OFF_HEAP)
            .statistics(true)
            .maxSize(1_000_000)
            .build());
    assertEquals("1000000", stats("stats").get("limit_maxbytes"));
    assertEquals("0", stats("stats").get("evictions"));
  }

  @Test
  void stats_afterACasThatHits_countIt() {
    server.ask("set x 0 0 1", "5");
    String unique = server.ask("gets x").lines().findFirst().orElseThrow().split(" ", -1)[4];
    assertEquals("STORED\n", server.ask("cas x 0 0 1 " + unique, "6"));
    assertEquals("1", stats("stats").get("cas_hits"));
  }

  @Test
  void stats_reset_startsCountingAtZero() {
    server.ask("set x 0 0 1", "5", "get x", "incr x 1", "flush_all");
    assertEquals("RESET\n", server.ask("stats reset"));
    Map<String, String> stats = stats("stats");
    for (String key : KEYS.subList(KEYS.indexOf("cmd_get"), KEYS.indexOf("bytes_read"))) {
      assertEquals("0", stats.get(key), key);
    }
    assertEquals("0", stats.get("total_items"));
  }

  @Test
  void stats_settings_tellTheLimit() {
    Map<String, String> settings = stats("stats settings");
    assertEquals("1048576", settings.get("item_size_max"));
    assertEquals("yes", settings.get("cas_enabled"));
    assertEquals("yes", settings.get("flush_enabled"));
  }

  @Test
  void stats_ofAnEmptyCache_haveNoClasses() {
    assertTrue(stats("stats items").isEmpty());
    assertEquals(List.of("active_slabs", "total_malloced"), keys("stats slabs"));
    assertEquals("0", stats("stats slabs").get("active_slabs"));
  }

  private List<String> keys(String command) {
    return List.copyOf(stats(command).keySet());
  }

  /** Tools list classes by these and then request the keys of each. */
  @Test
  void stats_ofItemsAndSlabs_areThoseOfOneClass() {
    server.ask("set x 0 0 1", "5", "set y 0 0 100", "1".repeat(100), "get x");
    Map<String, String> items = stats("stats items");
    assertEquals("2", items.get("items:1:number"));
    assertEquals("0", items.get("items:1:evicted"));
    assertEquals(28, items.size());
    Map<String, String> slabs = stats("stats slabs");
    assertEquals("2", slabs.get("1:used_chunks"));
    assertEquals("1", slabs.get("1:get_hits"));
    assertNotEquals("2", slabs.get("1:total_chunks"), "tools would call the class full");
    assertEquals("1", slabs.get("active_slabs"));
    assertEquals(
        String.valueOf(server.engine().memoryUse().allocatedBytes()), slabs.get("total_malloced"));
    assertEquals(17, slabs.size());
  }

  @Test
  void stats_ofConnections_haveTheOneThatAsks() {
    assertEquals("conn_parse_cmd", stats("stats conns").get("1:state"));
  }

  @Test
  void cachedump_ofManyKeys_listsEachOnce() {
    Set<String> expected = new TreeSet<>();
    for (int i = 0; i < 1000; i++) {
      server.ask("set key" + i + " 7 0 3", "abc");
      expected.add("ITEM key" + i + " [3 b; 0 s]");
    }
    server.ask("set t 0 100 1", "x");
    expected.add("ITEM t [1 b; " + (server.world.nowMillis() + 100_000) / 1000 + " s]");
    List<String> lines = server.ask("stats cachedump 1 0").lines().toList();
    assertEquals("END", lines.getLast());
    assertEquals(expected, new TreeSet<>(lines.subList(0, lines.size() - 1)));
    assertEquals(expected.size() + 1, lines.size());
    assertEquals(11, server.ask("stats cachedump 1 10").lines().count());
  }

  @Test
  void metadump_ofMoreThanOutputHolds_listsAll() {
    int count = 20_000;
    String key = "k".repeat(200);
    for (int i = 0; i < count; i++) {
      server.put(key + i, "v", -1, -1, "text/plain");
    }
    String[] lines = server.ask("lru_crawler metadump all", "mn").split("\n", -1);
    assertEquals(count + 3, lines.length);
    assertEquals("END", lines[count]);
    assertEquals("MN", lines[count + 1]);
  }

  /** All items are in the first class of slabs. */
  @Test
  void metadump_ofSomeClasses_listsTheItemsInThem() {
    server.ask("set a 0 0 1", "x");
    assertEquals("END\n", server.ask("lru_crawler metadump 5"));
    assertEquals("END\n", server.ask("lru_crawler metadump 2,63"));
    for (String classes : new String[] {"1", "2,1", "all", "hash"}) {
      List<String> lines = server.ask("lru_crawler metadump " + classes).lines().toList();
      assertEquals(2, lines.size(), classes);
      assertTrue(lines.getFirst().startsWith("key=a exp=-1 "), classes);
    }
  }

  @Test
  void cacheMemlimit_ofABoundedCache_changesTheBound() {
    server.node.removeCache(TestServer.CACHE);
    server.node.createForServer(
        TestServer.CACHE,
        CacheConfig.builder().storage(StorageType.OFF_HEAP).maxSize(100 << 20).build());
    assertEquals("OK\n", server.ask("cache_memlimit 64"));
    assertEquals("67108864", stats("stats").get("limit_maxbytes"));
    assertEquals("67108864", stats("stats settings").get("maxbytes"));
    assertEquals("on", stats("stats settings").get("evictions"));
  }

  @Test
  void cacheMemlimit_ofAnUnboundedCache_saysWhy() {
    assertTrue(
        server.ask("cache_memlimit 64").startsWith("SERVER_ERROR attribute can't be changed"));
  }
}
