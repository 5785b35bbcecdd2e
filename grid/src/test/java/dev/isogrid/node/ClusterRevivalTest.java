package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.Fsync;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Env;
import dev.isogrid.journal.FolderDisk;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.Topology;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of several nodes, all of which end and come back. */
class ClusterRevivalTest {
  private static final String CACHE = "orders";
  private static final CacheConfig CONFIG =
      ClusterStoreTest.config(CacheMode.DIST_SYNC, Fsync.EACH);

  @TempDir private Path folder;

  private final StoredNodes nodes = new StoredNodes();

  @AfterEach
  void close() {
    nodes.close();
  }

  private Path data(String name) {
    return folder.resolve(name);
  }

  private List<Node> startThree() {
    List<Node> started = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      started.add(nodes.start(name, data(name)));
    }
    return started;
  }

  private static Cache<String, String> fill(Node node, int count) {
    Cache<String, String> cache = node.cache(CACHE, CONFIG);
    for (int i = 0; i < count; i++) {
      cache.put("key-" + i, "value-" + i);
    }
    cache.remove("key-0");
    return cache;
  }

  private static Cache<String, String> cache(Node node) {
    return requireNonNull(node.findCache(CACHE));
  }

  private static void awaitCopies(Node node, int members) {
    Await.until(
        "copies",
        () -> {
          Topology known = requireNonNull(node.topology());
          return known.members().size() == members
              && known.segments().stream()
                  .allMatch(each -> each.isr().size() >= Math.min(2, members));
        });
  }

  @Test
  void entries_afterAllWereKilled_areThere() throws Exception {
    List<Node> three = startThree();
    Map<String, String> expected = new TreeMap<>(fill(three.get(1), 50));
    awaitCopies(three.getFirst(), 3);
    three.get(2).findCache(CACHE);
    cache(three.get(2)).put("late", "one");
    expected.put("late", "one");
    List<Path> killed = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      killed.add(StoredNodes.copy(data(name), folder.resolve("killed-" + name)));
    }
    nodes.kill(three);

    CompletableFuture<Node> c = nodes.begin("c", killed.get(2));
    CompletableFuture<Node> b = nodes.begin("b", killed.get(1));
    Await.until("b waits", () -> nodes.waiting() >= 2);
    assertFalse(b.isDone());
    CompletableFuture<Node> a = nodes.begin("a", killed.get(0));
    for (CompletableFuture<Node> each : List.of(a, b, c)) {
      Node node = each.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertEquals(expected, new TreeMap<>(cache(node)));
    }
    cache(a.get()).put("after", "one");
    assertEquals("one", cache(c.get()).get("after"));
  }

  @Test
  void entries_afterAllWereStoppedInTurn_areThereWithTheLastOne() throws Exception {
    List<Node> three = startThree();
    Map<String, String> expected = new TreeMap<>(fill(three.get(1), 50));
    awaitCopies(three.getFirst(), 3);
    nodes.stop(three.get(0));
    cache(three.get(1)).put("of-two", "one");
    nodes.stop(three.get(1));
    cache(three.get(2)).put("of-one", "one");
    expected.put("of-two", "one");
    expected.put("of-one", "one");
    nodes.stop(three.get(2));

    CompletableFuture<Node> a = nodes.begin("a", data("a"));
    CompletableFuture<Node> b = nodes.begin("b", data("b"));
    Await.until("both wait", () -> nodes.waiting() >= 2);
    Node c = nodes.start("c", data("c"));
    assertEquals(expected, new TreeMap<>(cache(c)));
    assertEquals(
        expected, new TreeMap<>(cache(a.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS))));
    assertEquals(
        expected, new TreeMap<>(cache(b.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS))));
  }

  private Path kill(String name, Path data, int life) throws IOException {
    return StoredNodes.copy(data, folder.resolve(name + "-killed-" + life));
  }

  /** The founder's disk has the next topology before another node learns it; then all end again. */
  @Test
  void entries_afterAllWereKilledAgain_beforeOneKnewThatTheClusterIsBack_areThere()
      throws Exception {
    Node a = nodes.start("a", data("a"));
    Node b = nodes.start("b", data("b"));
    Map<String, String> expected = new TreeMap<>(fill(a, 50));
    awaitCopies(a, 2);
    Path ofA = kill("a", data("a"), 1);
    Path ofB = kill("b", data("b"), 1);
    nodes.kill(List.of(a, b));

    CompletableFuture<Node> later = nodes.begin("b", ofB);
    MemorySlots memory = new MemorySlots(FolderDisk.readOnly(ofB.resolve("cluster")));
    Await.until("a memory of this start", () -> !requireNonNull(memory.read()).former().isEmpty());
    Path ofUnaware = kill("b", ofB, 2);
    a = nodes.start("a", ofA);
    b = later.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    awaitCopies(a, 2);
    Path ofFounder = kill("a", ofA, 2);
    nodes.kill(List.of(a, b));

    later = nodes.begin("b", ofUnaware);
    a = nodes.start("a", ofFounder);
    assertEquals(expected, new TreeMap<>(cache(a)));
    b = later.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    awaitCopies(a, 2);
    assertEquals(expected, new TreeMap<>(cache(b)));
  }

  private static Node startAlone(Path data) {
    return Node.start(GridConfig.builder().dataFolder(data).build(), Env.system());
  }

  @Test
  void node_withoutACluster_refusesTheFolderOfAMember() throws Exception {
    List<Node> three = startThree();
    fill(three.get(1), 50);
    awaitCopies(three.getFirst(), 3);
    three.forEach(nodes::stop);
    InvalidRequestException refused =
        assertThrows(InvalidRequestException.class, () -> startAlone(data("a")));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("other members=[b, c]"), message);
    assertTrue(message.contains("--found"), message);
  }

  @Test
  void node_withoutACluster_takesTheFolderOfAClusterOfOne() throws Exception {
    Node one = nodes.start("a", data("a"));
    Map<String, String> expected = new TreeMap<>(fill(one, 50));
    nodes.stop(one);
    CacheConfig ofBytes = CONFIG.toBuilder().storage(StorageType.HEAP_BINARY).build();
    try (Node alone = startAlone(data("a"))) {
      assertEquals(expected, new TreeMap<>(alone.<String, String>cache(CACHE, ofBytes)));
    }
  }

  @Test
  void node_thatComesBackToALivingCluster_hasItsEntriesAndNotItsOwn() throws Exception {
    Node a = nodes.start("a", data("a"));
    Node b = nodes.start("b", data("b"));
    fill(a, 50);
    awaitCopies(a, 2);
    nodes.stop(b);
    cache(a).put("key-5", "newer");
    cache(a).remove("key-6");
    Map<String, String> expected = new TreeMap<>(cache(a));

    Node again = nodes.start("b", data("b"));
    awaitCopies(a, 2);
    assertEquals(expected, new TreeMap<>(cache(again)));
    nodes.stop(a);
    assertEquals(expected, new TreeMap<>(cache(again)));
  }

  @Test
  void node_ofAnotherClusterOfTheSameName_refusesToStart() throws Exception {
    Node other = nodes.start("b", data("b"));
    fill(other, 5);
    nodes.stop(other);
    Node a = nodes.start("a", data("a"));
    fill(a, 5);

    Env slow = slowEnv();
    FatalGridException refusal =
        assertThrows(FatalGridException.class, () -> nodes.startLooking("b", data("b"), slow));
    assertTrue(
        requireNonNull(refusal.getMessage()).contains("another cluster of the same name"),
        refusal.getMessage());
  }

  /** A node hears of others before it has waited long enough, however slow the machine is. */
  private static Env slowEnv() {
    Env system = Env.system();
    return new Env(
        () -> system.nanoClock().nanoTime() / 20,
        system.epochClock(),
        system.random(),
        system.scheduler());
  }

  @Test
  void found_withSomeNodesMissing_goesOnWithWhatIsThere() throws Exception {
    List<Node> three = startThree();
    Map<String, String> written = new TreeMap<>(fill(three.get(1), 50));
    // A backup's disk may lack the last writes, so the removed key may be back.
    written.put("key-0", "value-0");
    awaitCopies(three.getFirst(), 3);
    List<Path> killed = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      killed.add(StoredNodes.copy(data(name), folder.resolve("killed-" + name)));
    }
    nodes.kill(three);

    Node a = nodes.start("a", killed.get(0), true);
    Map<String, String> after = new TreeMap<>(cache(a));
    assertTrue(written.entrySet().containsAll(after.entrySet()), after::toString);
    assertFalse(after.isEmpty());
    Node b = nodes.start("b", killed.get(1));
    awaitCopies(a, 2);
    assertEquals(after, new TreeMap<>(cache(b)));
  }
}
