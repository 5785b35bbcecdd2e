package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheChange;
import dev.isogrid.api.CacheChanges;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ChangeToken;
import dev.isogrid.api.ChangesGoneException;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.FileStore;
import dev.isogrid.api.Fsync;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.base.Env;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.Topology;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The changes of clustered caches, read from the stores of their nodes. */
class ClusterChangesTest {
  private static final String CACHE = "orders";
  private static final int SEGMENTS = 8;

  @TempDir private Path folder;

  private final AtomicLong nowMillis = new AtomicLong(1_900_000_000_000L);
  private final StoredNodes nodes = new StoredNodes();

  @AfterEach
  void close() {
    nodes.close();
  }

  private static CacheConfig config(CacheMode mode) {
    return config(mode, Duration.ZERO);
  }

  private static CacheConfig config(CacheMode mode, Duration retention) {
    return CacheConfig.builder()
        .mode(mode)
        .segments(SEGMENTS)
        .fileStore(FileStore.builder().fsync(Fsync.EACH).retention(retention).build())
        .build();
  }

  private Node start(String name) {
    return start(name, folder.resolve(name));
  }

  private Node start(String name, Path data) {
    Env system = Env.system();
    return nodes.start(
        name,
        data,
        false,
        new Env(system.nanoClock(), nowMillis::get, system.random(), system.scheduler()));
  }

  private static void awaitCopies(Node node, int members, int copies) {
    Await.until(
        "copies",
        () -> {
          Topology known = requireNonNull(node.topology());
          return known.members().size() == members
              && known.segments().stream()
                  .allMatch(each -> each.isr().size() == copies && each.learners().isEmpty());
        });
  }

  /** Three nodes that have a cache, all with their stores open. */
  private List<Node> startThree(CacheMode mode) {
    List<Node> all = List.of(start("a"), start("b"), start("c"));
    all.forEach(node -> node.cache(CACHE, config(mode)));
    awaitCopies(all.getFirst(), 3, mode == CacheMode.REPL_SYNC ? 3 : 2);
    awaitStores(all);
    return all;
  }

  /** Waits until each node can read its own store. */
  private static void awaitStores(List<Node> all) {
    for (Node node : all) {
      Await.until("store", () -> requireNonNull(node.engine(CACHE)).journalState() != null);
    }
  }

  private static Cache<String, String> cache(Node node) {
    return requireNonNull(node.findCache(CACHE));
  }

  /** The changes that a reader was told, by key; clears by their segment. */
  private static final class Reader {
    private final Map<String, List<String>> byKey = new TreeMap<>();
    private final Set<Integer> cleared = new HashSet<>();
    private final Map<Integer, Long> versions = new HashMap<>();
    private ChangeToken token;
    private int count;

    Reader(ChangeToken from) {
      token = from;
    }

    /** Reads some changes with a new reader on a node. */
    Reader read(Node node, int changes) {
      try (CacheChanges<String, String> open = cache(node).changes(token)) {
        return read(open, changes);
      }
    }

    Reader read(CacheChanges<String, String> open, int changes) {
      for (int i = 0; i < changes; i++) {
        CacheChange<String, String> next = open.next(Await.PATIENCE);
        assertNotNull(next, "read " + count + ": " + byKey);
        take(next);
        assertEquals(next.token(), open.token());
      }
      return this;
    }

    /** Reads what there is, up to a key. */
    Reader readTo(Node node, String key) {
      try (CacheChanges<String, String> open = cache(node).changes(token)) {
        while (!byKey.containsKey(key)) {
          read(open, 1);
        }
      }
      return this;
    }

    private void take(CacheChange<String, String> next) {
      count++;
      token = ChangeToken.of(next.token().toString());
      if (next.kind() == CacheChange.Kind.CLEARED) {
        cleared.add(next.segment());
        byKey.forEach((_, told) -> told.add("CLEARED?"));
        return;
      }
      if (next.version() != 0) {
        Long before = versions.put(next.segment(), next.version());
        assertTrue(before == null || next.version() >= before, next::toString);
      }
      String what = next.kind() == CacheChange.Kind.WRITTEN ? "" + next.value() : "" + next.kind();
      byKey.computeIfAbsent(requireNonNull(next.key()), _ -> new ArrayList<>()).add(what);
    }

    List<String> of(String key) {
      return byKey.getOrDefault(key, List.of()).stream()
          .filter(each -> !each.equals("CLEARED?"))
          .toList();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = CacheMode.class,
      names = {"DIST_SYNC", "REPL_SYNC"})
  void changes_onAllMembers_haveAllEffectsOnceAndInOrder(CacheMode mode) {
    List<Node> all = startThree(mode);
    Map<String, List<String>> expected = new TreeMap<>();
    int writes = 0;
    Map<String, String> many = new HashMap<>();
    for (int i = 0; i < 40; i++) {
      String key = "key-" + i;
      Cache<String, String> one = cache(all.get(i % 3));
      Cache<String, String> other = cache(all.get((i + 1) % 3));
      one.put(key, "1");
      assertEquals("1", other.putIfAbsent(key, "no"));
      assertTrue(other.replace(key, "1", "2"));
      one.compute(key, (_, value) -> value + "3");
      one.remove(key);
      one.remove(key);
      other.put(key, "4", new Expiry(500, -1));
      expected.put(key, new ArrayList<>(List.of("1", "2", "23", "REMOVED", "4")));
      many.put("many-" + i, "m" + i);
      expected.put("many-" + i, List.of("m" + i));
      writes += 5;
    }
    cache(all.getFirst()).putAll(many);
    writes += many.size();
    nowMillis.addAndGet(1000);
    for (int i = 0; i < 40; i++) {
      String key = "key-" + i;
      if (i % 2 == 0) {
        assertNull(cache(all.get(i % 3)).putIfAbsent(key, "5"));
        requireNonNull(expected.get(key)).add("5");
        writes++;
      } else {
        assertNull(cache(all.get(i % 3)).get(key));
        requireNonNull(expected.get(key)).add("EXPIRED");
        writes++;
      }
    }
    for (Node node : all) {
      Reader reader = new Reader(ChangeToken.EARLIEST).read(node, writes);
      assertEquals(expected, reader.byKey);
      String by = "node" + all.indexOf(node);
      cache(node).put("last", by);
      assertEquals(by, reader.read(node, 1).of("last").getLast());
      writes++;
      expected.computeIfAbsent("last", _ -> new ArrayList<>());
      expected.put("last", reader.byKey.get("last"));
    }
    Reader clears = new Reader(ChangeToken.LATEST);
    try (CacheChanges<String, String> open = cache(all.get(1)).changes(ChangeToken.LATEST)) {
      cache(all.get(2)).clear();
      clears.read(open, SEGMENTS);
      assertEquals(SEGMENTS, clears.cleared.size());
      assertNull(open.next(Duration.ZERO));
    }
  }

  private static void put(Node node, int from, int to) {
    Cache<String, String> cache = cache(node);
    for (int i = from; i < to; i++) {
      cache.put("key-" + i, "value-" + i);
    }
  }

  private static Map<String, List<String>> puts(int from, int to) {
    Map<String, List<String>> puts = new TreeMap<>();
    for (int i = from; i < to; i++) {
      puts.put("key-" + i, List.of("value-" + i));
    }
    return puts;
  }

  @Test
  void changes_byTokenOnAnotherMember_goOn() {
    List<Node> all = startThree(CacheMode.DIST_SYNC);
    Map<String, String> together = new HashMap<>();
    for (int i = 0; i < 50; i++) {
      together.put("together-" + i, "value");
    }
    Reader reader = new Reader(ChangeToken.EARLIEST);
    cache(all.getFirst()).putAll(together);
    put(all.getFirst(), 0, 50);
    for (int i = 0; i < 100; i++) {
      reader.read(all.get(i % 3), 1); // also between changes of one place
    }
    Map<String, List<String>> expected = puts(0, 50);
    together.forEach((key, value) -> expected.put(key, List.of(value)));
    assertEquals(expected, reader.byKey);
    try (CacheChanges<String, String> open = cache(all.getFirst()).changes(reader.token)) {
      assertNull(open.next(Duration.ofMillis(1)));
      assertEquals(reader.token, open.token());
    }
  }

  /** One node has its segments alone; of three each segment has copies. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void changes_ofACacheThatEvictsToItsStore_areAllThere(int members) {
    // a node that finds an entry expired while it renews its lease leaves it to the reaper
    CacheConfig evicting =
        config(CacheMode.DIST_SYNC).toBuilder()
            .maxCount(20)
            .reaperInterval(Duration.ofMillis(200))
            .build();
    List<Node> all = Stream.of("a", "b", "c").limit(members).map(this::start).toList();
    all.forEach(node -> node.cache(CACHE, evicting));
    awaitCopies(all.getFirst(), members, Math.min(2, members));
    awaitStores(all);
    Map<String, List<String>> expected = puts(0, 200);
    put(all.getFirst(), 0, 200);
    for (int i = 0; i < 100; i++) {
      cache(all.getLast()).put("mortal-" + i, "short", new Expiry(500, -1));
      expected.put("mortal-" + i, List.of("short", "EXPIRED"));
    }
    nowMillis.addAndGet(1000);
    for (int i = 0; i < 100; i++) {
      assertNull(cache(all.getFirst()).get("mortal-" + i));
    }
    assertEquals(200, cache(all.getLast()).size());
    Reader reader = new Reader(ChangeToken.EARLIEST).read(all.getFirst(), 400);
    assertEquals(expected, reader.byKey);
    cache(all.getLast()).clear();
    reader.read(all.getLast(), SEGMENTS);
    assertEquals(SEGMENTS, reader.cleared.size());
    for (Node node : all) {
      assertEquals(0, cache(node).size());
      for (int i = 0; i < 200; i++) {
        assertNull(cache(node).get("key-" + i));
      }
    }
    assertEquals(List.of("late"), lateOf(reader, all.getFirst()));
  }

  @Test
  void changes_whileAMemberIsKilled_goOn() {
    List<Node> all = startThree(CacheMode.DIST_SYNC);
    Node killed = all.get(1);
    Node living = all.get(2);
    put(killed, 0, 100);
    Reader reader = new Reader(ChangeToken.EARLIEST);
    try (CacheChanges<String, String> open = cache(living).changes(ChangeToken.EARLIEST)) {
      reader.read(open, 60);
      nodes.kill(killed);
      put(all.getFirst(), 100, 200);
      reader.read(open, 140);
      awaitCopies(living, 2, 2);
      put(living, 200, 300);
      reader.read(open, 100);
      assertEquals(puts(0, 300), reader.byKey);
    }
    assertEquals(List.of("late"), lateOf(reader, all.getFirst()));
  }

  private static List<String> lateOf(Reader reader, Node node) {
    cache(node).put("late", "late");
    return reader.read(node, 1).of("late");
  }

  @Test
  void changes_whileNodesComeAndLeave_goOn() {
    Node a = start("a");
    Node b = start("b");
    List.of(a, b).forEach(node -> node.cache(CACHE, config(CacheMode.DIST_SYNC)));
    awaitCopies(a, 2, 2);
    awaitStores(List.of(a, b));
    put(a, 0, 100);
    Reader reader = new Reader(ChangeToken.EARLIEST);
    try (CacheChanges<String, String> open = cache(a).changes(ChangeToken.EARLIEST)) {
      reader.read(open, 100);
      Node c = start("c");
      put(c, 100, 200);
      awaitCopies(a, 3, 2);
      put(c, 200, 300);
      reader.read(open, 200);
      nodes.stop(b);
      put(c, 300, 400);
      awaitCopies(a, 2, 2);
      put(a, 400, 500);
      reader.read(open, 200);
      assertEquals(puts(0, 500), reader.byKey);
      assertEquals(List.of("late"), lateOf(reader, c));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = CacheMode.class,
      names = {"DIST_SYNC", "REPL_SYNC"})
  void changes_afterTheWholeClusterWasKilled_goOn(CacheMode mode) {
    List<Node> all = startThree(mode);
    put(all.getFirst(), 0, 100);
    Reader reader = new Reader(ChangeToken.EARLIEST).read(all.get(1), 60);
    nodes.kill(all);
    List<CompletableFuture<Node>> begun =
        List.of("c", "a", "b").stream()
            .map(name -> nodes.begin(name, folder.resolve(name)))
            .toList();
    List<Node> again = begun.stream().map(CompletableFuture::join).toList();
    put(again.getFirst(), 100, 200);
    reader.read(again.get(2), 140);
    assertEquals(puts(0, 200), reader.byKey);
    assertEquals(List.of("late"), lateOf(reader, again.get(1)));
  }

  @Test
  void changes_ofAnotherCacheOrCluster_areRefused() {
    Node node = start("a");
    Cache<String, String> cache = node.cache(CACHE, config(CacheMode.DIST_SYNC));
    cache.put("key", "value");
    ChangeToken token = new Reader(ChangeToken.EARLIEST).read(node, 1).token;
    Cache<String, String> other = node.cache("other", config(CacheMode.DIST_SYNC));
    assertThrows(ChangesGoneException.class, () -> other.changes(token));
    assertThrows(InvalidRequestException.class, () -> cache.changes(ChangeToken.of("no-token")));
    assertTrue(node.removeCache(CACHE));
    Cache<String, String> anew = node.cache(CACHE, config(CacheMode.DIST_SYNC));
    assertThrows(ChangesGoneException.class, () -> anew.changes(token));
    nodes.stop(node);

    Node elsewhere = start("b");
    Cache<String, String> same = elsewhere.cache(CACHE, config(CacheMode.DIST_SYNC));
    assertThrows(ChangesGoneException.class, () -> same.changes(token));
  }

  @Test
  void changes_ofCacheThatIsClosed_end() {
    Node node = start("a");
    Cache<String, String> cache = node.cache(CACHE, config(CacheMode.DIST_SYNC));
    CacheChanges<String, String> changes = cache.changes(ChangeToken.EARLIEST);
    assertNull(changes.next(Duration.ZERO));
    nodes.stop(node);
    assertThrows(FatalGridException.class, () -> changes.next(Duration.ZERO));
    changes.close();
  }

  @Test
  void changes_thatNoStoreKeeps_areRefused_andLaterOnesGoOn() {
    Duration tenYears = Duration.ofDays(3650); // the files have the time of the machine
    CacheConfig config =
        config(CacheMode.DIST_SYNC).toBuilder()
            .fileStore(FileStore.builder().fsync(Fsync.INTERVAL).retention(tenYears).build())
            .build();
    List<Node> all = List.of(start("a"), start("b"), start("c"));
    all.forEach(node -> node.cache(CACHE, config));
    awaitCopies(all.getFirst(), 3, 2);
    awaitStores(all);
    put(all.getFirst(), 0, 40);
    Reader old = new Reader(ChangeToken.EARLIEST).read(all.getFirst(), 40);
    Cache<String, String> cache = cache(all.getFirst());
    String large = "x".repeat(1 << 20);
    int writes = 40;
    for (int i = 0; i < writes; i++) {
      cache.put("large", i + large);
    }
    Reader late = new Reader(old.token).read(all.get(1), writes);
    assertEquals(writes, late.of("large").size());

    nowMillis.addAndGet(2 * tenYears.toMillis());
    for (int i = 0; !isGone(all.get(2), old.token); i++) {
      assertTrue(i < 1000, "never gone");
      cache.put("large", i + large);
      late.read(all.get(1), 1);
    }
    ChangesGoneException gone =
        assertThrows(ChangesGoneException.class, () -> cache.changes(old.token));
    assertTrue(("" + gone.getMessage()).startsWith("changes are gone: cache=orders, segment="));
    put(all.get(2), 0, 40);
    late.read(all.get(2), 40);
    put(all.get(1), 40, 80);
    late.read(all.get(1), 40);
    assertEquals(List.of("value-7"), late.of("key-7"));
    late.byKey.remove("large");
    assertEquals(puts(0, 80), late.byKey);
    new Reader(ChangeToken.EARLIEST).readTo(all.get(1), "key-79");
  }

  private static boolean isGone(Node node, ChangeToken token) {
    try {
      cache(node).changes(token).close();
      return false;
    } catch (ChangesGoneException _) {
      return true;
    }
  }
}
