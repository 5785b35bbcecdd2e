package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEvent;
import dev.isogrid.api.CacheListener;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Fsync;
import dev.isogrid.api.StorageType;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clustered caches that have more entries in their stores than in memory. */
class EvictingClusterTest {
  /*
   * The tests share the cluster, its folders and the model beside it, and each of them
   * is short. Memory has room for a few entries only, so nearly each operation meets one that is on
   * the disk at some replica.
   */
  private static final String CACHE = "orders";
  private static final int IN_MEMORY = 40;
  private static final int KEYS = 600;
  private static final int STEPS = 1500;

  @TempDir private Path folder;

  private final StoredNodes nodes = new StoredNodes();
  private final Map<String, Node> living = new TreeMap<>();
  private final Map<String, Path> folders = new TreeMap<>();
  private Map<String, String> model = new TreeMap<>();
  private int copies;
  private int lives;

  @AfterEach
  void close() {
    nodes.close();
  }

  private static CacheConfig config(CacheMode mode, StorageType storage, Fsync fsync) {
    return ClusterStoreTest.config(mode, fsync).toBuilder()
        .storage(storage)
        .maxCount(IN_MEMORY)
        .statistics(true)
        .build();
  }

  private static CacheConfig config(CacheMode mode) {
    return config(mode, StorageType.OFF_HEAP, Fsync.NONE);
  }

  private void start(String name) {
    living.put(name, nodes.start(name, folders.computeIfAbsent(name, folder::resolve)));
  }

  private void start(CacheConfig config, String... names) {
    List.of(names).forEach(this::start);
    requireNonNull(living.get(names[0])).cache(CACHE, config);
    copies = config.mode() == CacheMode.REPL_SYNC ? 3 : config.owners();
    awaitCopies();
  }

  private Cache<String, String> at(String name) {
    return requireNonNull(requireNonNull(living.get(name)).findCache(CACHE));
  }

  /** Waits until all members know each other, have the cache, and no copy is missing. */
  private void awaitCopies() {
    Await.until("copies", () -> living.values().stream().allMatch(this::isWhole));
  }

  private boolean isWhole(Node node) {
    Topology known = node.topology();
    int wanted = Math.min(copies, living.size());
    return known != null
        && known.members().size() == living.size()
        && known.cache(CACHE) != null
        && node.findCache(CACHE) != null
        && known.segmentsOf(requireNonNull(known.cache(CACHE)).group()).stream()
            .allMatch(each -> each.isr().size() == wanted && each.learners().isEmpty());
  }

  private void fill() {
    Cache<String, String> cache = at(living.keySet().iterator().next());
    for (int i = 0; i < KEYS; i++) {
      cache.put("key-" + i, "value-" + i);
      model.put("key-" + i, "value-" + i);
    }
    living.values().forEach(EvictingClusterTest::awaitEvictions);
  }

  /** Waits until a member has no more in memory than it should. */
  private static void awaitEvictions(Node node) {
    Cache<String, String> cache = requireNonNull(node.findCache(CACHE));
    Await.until("evictions", () -> cache.stats().evictions() > 0);
  }

  private void check() {
    living.keySet().forEach(name -> compare(at(name), model));
  }

  private static void compare(Cache<String, String> cache, Map<String, String> model) {
    assertEquals(model.size(), cache.size());
    assertEquals(model, new TreeMap<>(cache));
    assertEquals(model.keySet(), new TreeSet<>(cache.keySet()));
    assertEquals(model.size(), cache.entrySet().stream().count());
    Set<String> keys = new HashSet<>(model.keySet());
    keys.add("other");
    assertEquals(model, new TreeMap<>(cache.getAll(keys)));
    model.forEach((key, value) -> assertEquals(value, cache.get(key)));
    assertNull(cache.get("other"));
  }

  private void stop(String name) {
    nodes.stop(requireNonNull(living.remove(name)));
  }

  /** Kills members, and moves what their processes leave behind to where they start again. */
  private void kill(String... names) throws IOException {
    List<Node> killed = new ArrayList<>();
    for (String name : names) {
      Node node = requireNonNull(living.remove(name));
      nodes.network().cutOff(node.calls().self());
      killed.add(node);
    }
    for (String name : names) {
      Path left = requireNonNull(folders.get(name));
      folders.put(name, StoredNodes.copy(left, folder.resolve("life-" + lives++)));
    }
    nodes.kill(killed);
  }

  @ParameterizedTest
  @CsvSource({"DIST_SYNC, OFF_HEAP", "REPL_SYNC, OFF_HEAP", "DIST_SYNC, HEAP_BINARY"})
  void entries_beyondTheBound_areReadAtEachMember(CacheMode mode, StorageType storage) {
    start(config(mode, storage, Fsync.NONE), "a", "b", "c");
    fill();
    check();
  }

  @ParameterizedTest
  @EnumSource(
      value = CacheMode.class,
      names = {"DIST_SYNC", "REPL_SYNC"})
  void writes_ofEvictedEntries_seeThem(CacheMode mode) {
    start(config(mode), "a", "b", "c");
    fill();
    for (String name : living.keySet()) {
      Cache<String, String> cache = at(name);
      for (int i = 0; i < KEYS; i += 12) {
        String key = "key-" + i;
        String before = requireNonNull(model.get(key));
        assertEquals(before, cache.putIfAbsent(key, "other"));
        assertEquals(before, cache.put(key, name));
        assertTrue(cache.replace("key-" + (i + 1), model.get("key-" + (i + 1)), name));
        assertEquals(model.get("key-" + (i + 2)), cache.replace("key-" + (i + 2), name));
        String merged = model.get("key-" + (i + 3)) + name;
        assertEquals(merged, cache.merge("key-" + (i + 3), name, String::concat));
        long version = requireNonNull(cache.getEntry("key-" + (i + 4))).version();
        assertTrue(cache.replaceIfVersion("key-" + (i + 4), name, version));
        model.put(key, name);
        model.put("key-" + (i + 1), name);
        model.put("key-" + (i + 2), name);
        model.put("key-" + (i + 3), merged);
        model.put("key-" + (i + 4), name);
      }
    }
    for (int i = 5; i < KEYS; i += 12) {
      String key = "key-" + i;
      assertEquals(model.remove(key), at("b").remove(key));
      assertNull(at("c").get(key));
      assertNull(at("a").putIfAbsent(key, "again"));
      model.put(key, "again");
    }
    check();
  }

  @Test
  void listeners_ofEachMember_hearTheValuesBefore() {
    start(config(CacheMode.DIST_SYNC), "a", "b", "c");
    fill();
    Map<String, Map<String, String>> heard = new HashMap<>();
    living.forEach((name, _) -> {
      Map<String, String> events = new ConcurrentHashMap<>();
      heard.put(name, events);
      at(name)
          .addListener(event -> {
            switch (event.kind()) {
              case MODIFIED, REMOVED ->
                  events.put(event.key(), event.kind() + " " + event.oldValue());
              case CREATED -> events.put(event.key(), "CREATED");
              default -> {}
            }
          });
    });
    Map<String, String> expected = new HashMap<>();
    for (int i = 0; i < 100; i++) {
      at("b").put("key-" + i, "new");
      expected.put("key-" + i, "MODIFIED value-" + i);
      at("c").remove("key-" + (i + 100));
      expected.put("key-" + (i + 100), "REMOVED value-" + (i + 100));
      at("a").put("new-" + i, "new");
      expected.put("new-" + i, "CREATED");
    }
    heard.forEach(
        (name, events) -> Await.until("events at " + name, () -> events.equals(expected)));
  }

  @Test
  void clear_removesWhatIsOnTheDisk_andStaysSo() throws Exception {
    start(config(CacheMode.REPL_SYNC), "a", "b", "c");
    fill();
    at("b").clear();
    model.clear();
    check();
    at("c").put("key-7", "new");
    model.put("key-7", "new");
    check();
    restartAll();
    check();
  }

  @Test
  void clear_withListeners_tellsThatTheyMissSomething() {
    start(config(CacheMode.DIST_SYNC), "a", "b", "c");
    fill();
    Map<String, Set<Integer>> gaps = new HashMap<>();
    Map<String, Set<String>> created = new HashMap<>();
    living.forEach((name, _) -> {
      Set<Integer> segments = ConcurrentHashMap.newKeySet();
      Set<String> keys = ConcurrentHashMap.newKeySet();
      gaps.put(name, segments);
      created.put(name, keys);
      at(name)
          .addListener(
              new CacheListener<String, String>() {
                @Override
                public void onEvent(CacheEvent<String, String> event) {
                  if (event.kind() == CacheEvent.Kind.CREATED) {
                    keys.add(event.key());
                  }
                }

                @Override
                public void onGap(int segment) {
                  segments.add(segment);
                }
              });
    });
    at("b").clear();
    gaps.forEach((name, segments) -> Await.until("gaps at " + name, () -> segments.size() == 8));
    at("a").put("key-1", "new");
    created.forEach(
        (name, keys) -> Await.until("an event at " + name, () -> keys.equals(Set.of("key-1"))));
    model = new TreeMap<>(Map.of("key-1", "new"));
    check();
  }

  @Test
  void lifespans_thatEndOnTheDisk_areNoticedEverywhere() {
    start(config(CacheMode.DIST_SYNC), "a", "b", "c");
    for (int i = 0; i < 300; i++) {
      at("a").put("mortal-" + i, "value", 3, TimeUnit.SECONDS);
    }
    fill();
    Await.until("expiry", () -> at("b").get("mortal-0") == null);
    Await.until("expiry everywhere", () -> at("c").size() == KEYS);
    for (int i = 0; i < 300; i++) {
      assertNull(at("a").get("mortal-" + i));
    }
    check();
  }

  @Test
  void entries_withMaxIdle_areReadAtEachMember() {
    start(config(CacheMode.REPL_SYNC), "a", "b", "c");
    for (int i = 0; i < 200; i++) {
      at("a").put("idle-" + i, "v" + i, -1, TimeUnit.SECONDS, 600, TimeUnit.SECONDS);
      model.put("idle-" + i, "v" + i);
    }
    check();
  }

  @Test
  void member_thatJoins_isGivenAll() {
    start(config(CacheMode.REPL_SYNC), "a");
    fill();
    at("a").put("large", "x".repeat(1_500_000));
    model.put("large", "x".repeat(1_500_000));
    start("b");
    awaitCopies();
    check();
    start("c");
    awaitCopies();
    stop("a");
    awaitCopies();
    check();
  }

  @Test
  void member_thatIsKilled_isReplaced_andComesBack() throws IOException {
    start(config(CacheMode.DIST_SYNC, StorageType.OFF_HEAP, Fsync.EACH), "a", "b", "c");
    fill();
    kill("b");
    awaitCopies();
    check();
    for (int i = 0; i < KEYS; i += 2) {
      assertEquals(model.put("key-" + i, "later"), at("a").put("key-" + i, "later"));
    }
    at("c").remove("key-1");
    model.remove("key-1");
    start("b");
    awaitCopies();
    check();
  }

  @Test
  void onlyCopies_ofAMemberThatWasKilled_areServedWhenItIsBack() throws IOException {
    CacheConfig config = config(CacheMode.DIST_SYNC, StorageType.OFF_HEAP, Fsync.EACH);
    start(config.toBuilder().owners(1).build(), "a", "b", "c");
    fill();
    kill("c");
    start("c");
    Await.until("no loss", () -> living.values().stream().allMatch(this::isServed));
    check();
  }

  private boolean isServed(Node node) {
    Topology known = requireNonNull(node.topology());
    return isWhole(node)
        && known.segmentsOf(requireNonNull(known.cache(CACHE)).group()).stream()
            .noneMatch(SegmentOwners::isOffline);
  }

  private void restartAll() throws Exception {
    List<String> names = List.copyOf(living.keySet());
    kill(names.toArray(String[]::new));
    Map<String, CompletableFuture<Node>> begun = new TreeMap<>();
    names.forEach(name -> begun.put(name, nodes.begin(name, requireNonNull(folders.get(name)))));
    for (String name : names) {
      living.put(name, requireNonNull(begun.get(name)).get(60, TimeUnit.SECONDS));
    }
    awaitCopies();
  }

  @ParameterizedTest
  @EnumSource(
      value = CacheMode.class,
      names = {"DIST_SYNC", "REPL_SYNC"})
  void cluster_thatIsKilled_comesBackWithAll(CacheMode mode) throws Exception {
    start(
        config(mode, StorageType.OFF_HEAP, Fsync.EACH).toBuilder().owners(3).build(),
        "a",
        "b",
        "c");
    fill();
    Map<String, String> many = new HashMap<>();
    for (int i = 0; i < 200; i++) {
      many.put("key-" + (3 * i), "together-" + i);
    }
    at("b").putAll(many);
    model.putAll(many);
    check();
    restartAll();
    check();
    for (int i = 0; i < KEYS; i += 5) {
      assertEquals(model.put("key-" + i, "again"), at("c").put("key-" + i, "again"));
    }
    check();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void anyOperations_atAnyMember_areThoseOfAMap(int number) throws Exception {
    long seed = Long.getLong("seed", 20_261_127 + number);
    Random random = new Random(seed);
    CacheMode mode = number % 2 == 0 ? CacheMode.REPL_SYNC : CacheMode.DIST_SYNC;
    StorageType storage = number > 2 ? StorageType.HEAP_BINARY : StorageType.OFF_HEAP;
    CacheConfig config =
        config(mode, storage, Fsync.EACH).toBuilder().owners(3).maxCount(1 + number * 10).build();
    start(config, "a", "b", "c");
    for (int step = 0; step < STEPS; step++) {
      operate(random);
      if (random.nextInt(300) == 0) {
        change(random);
      }
    }
    check();
    restartAll();
    check();
  }

  @ParameterizedTest
  @EnumSource(
      value = CacheMode.class,
      names = {"DIST_SYNC", "REPL_SYNC"})
  void increments_ofManyThreads_areAllThere(CacheMode mode) {
    start(config(mode).toBuilder().maxCount(5).build(), "a", "b", "c");
    int keys = 60;
    int rounds = 400;
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (String name : living.keySet()) {
      for (int thread = 0; thread < 2; thread++) {
        Random random = new Random(writers.size());
        writers.add(
            CompletableFuture.runAsync(
                () -> {
                  for (int i = 0; i < rounds; i++) {
                    String key = "key-" + random.nextInt(keys);
                    at(name).merge(key, "1", EvictingClusterTest::sum);
                    requireNonNull(at(name).get(key));
                  }
                },
                task -> Thread.ofVirtual().start(task)));
      }
    }
    CompletableFuture.allOf(writers.toArray(CompletableFuture<?>[]::new)).join();
    for (String name : living.keySet()) {
      int total = 0;
      for (String value : at(name).values()) {
        total += Integer.parseInt(value);
      }
      assertEquals(writers.size() * rounds, total);
      assertEquals(keys, at(name).size());
    }
  }

  private static String sum(String one, String other) {
    return String.valueOf(Integer.parseInt(one) + Integer.parseInt(other));
  }

  @Test
  void files_thatAreCleaned_loseNothing() throws Exception {
    // with EACH, since a kill while much is being forced may take the writes that came meanwhile
    start(config(CacheMode.REPL_SYNC, StorageType.OFF_HEAP, Fsync.EACH), "a", "b");
    Random random = new Random(5);
    for (int round = 0; round < 150; round++) {
      Map<String, String> many = new HashMap<>();
      for (int i = 0; i < 100; i++) {
        many.put("key-" + random.nextInt(KEYS), random.nextInt() + "v".repeat(2000));
      }
      at("a").putAll(many);
      model.putAll(many);
      for (int i = 0; i < 20; i++) {
        String key = "key-" + random.nextInt(KEYS);
        assertEquals(model.get(key), at("b").get(key));
        at("b").remove("key-" + round);
        model.remove("key-" + round);
      }
    }
    check();
    restartAll();
    check();
  }

  @Test
  void writes_whileAMemberIsKilled_areAllThere() throws Exception {
    start(config(CacheMode.DIST_SYNC, StorageType.OFF_HEAP, Fsync.EACH), "a", "b", "c");
    fill();
    Map<String, String> written = new ConcurrentHashMap<>();
    AtomicBoolean isEnding = new AtomicBoolean();
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      int number = thread;
      Random random = new Random(thread);
      Cache<String, String> cache = at(thread % 2 == 0 ? "a" : "c");
      writers.add(
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; !isEnding.get(); i++) {
                  String key = "key-" + (random.nextInt(KEYS / 4) * 4 + number);
                  cache.put(key, "thread-" + number + "-" + i);
                  written.put(key, "thread-" + number + "-" + i);
                }
              },
              task -> Thread.ofVirtual().start(task)));
    }
    Await.until("writes", () -> written.size() > 300);
    kill("b");
    awaitCopies();
    start("b");
    awaitCopies();
    isEnding.set(true);
    CompletableFuture.allOf(writers.toArray(CompletableFuture<?>[]::new)).join();
    model.putAll(written);
    check();
  }

  private void change(Random random) throws Exception {
    List<String> names = new ArrayList<>(living.keySet());
    String any = names.get(random.nextInt(names.size()));
    switch (random.nextInt(5)) {
      case 0 -> {
        kill(any);
        awaitCopies();
        for (int i = 0; i < 50; i++) {
          operate(random);
        }
        start(any);
        awaitCopies();
      }
      case 1 -> {
        stop(any);
        awaitCopies();
        for (int i = 0; i < 50; i++) {
          operate(random);
        }
        start(any);
        awaitCopies();
      }
      case 2 -> restartAll();
      case 3 -> compare(at(any), model);
      default -> {
        at(any).clear();
        model.clear();
      }
    }
  }

  private void operate(Random random) {
    List<String> names = new ArrayList<>(living.keySet());
    Cache<String, String> cache = at(names.get(random.nextInt(names.size())));
    CacheBesideMap.operate(cache, model, random);
  }
}
