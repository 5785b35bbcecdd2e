package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Fsync;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
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

/** Nodes that come back to a living cluster with entries that it has lost. */
class ReturnedDisksTest {
  private static final String CACHE = "orders";
  private static final int KEYS = 200;

  @TempDir private Path folder;

  private final StoredNodes nodes = new StoredNodes();
  private final Map<String, String> expected = new TreeMap<>();

  @AfterEach
  void close() {
    nodes.close();
  }

  private Path data(String name) {
    return folder.resolve(name);
  }

  private List<Node> start(String... names) {
    List<Node> started = new ArrayList<>();
    for (String name : names) {
      started.add(nodes.start(name, data(name)));
    }
    return started;
  }

  private void fill(Node node, int owners) {
    CacheConfig config =
        ClusterStoreTest.config(CacheMode.DIST_SYNC, Fsync.EACH).toBuilder()
            .segments(32)
            .owners(owners)
            .build();
    Cache<String, String> cache = node.cache(CACHE, config);
    for (int i = 0; i < KEYS; i++) {
      cache.put("key-" + i, "value-" + i);
      expected.put("key-" + i, "value-" + i);
    }
    cache.remove("key-0");
    expected.remove("key-0");
  }

  private static Cache<String, String> cache(Node node) {
    return requireNonNull(node.findCache(CACHE));
  }

  private static List<SegmentOwners> segments(Node node) {
    Topology known = requireNonNull(node.topology());
    return known.segmentsOf(requireNonNull(known.cache(CACHE)).group());
  }

  private static void awaitBalance(Node node, int members, int copies) {
    Await.until(
        "copies",
        () ->
            requireNonNull(node.topology()).members().size() == members
                && segments(node).stream()
                    .allMatch(each -> each.isr().size() == copies && each.learners().isEmpty()));
  }

  private static long offline(Node node) {
    return segments(node).stream().filter(SegmentOwners::isOffline).count();
  }

  /** Kills nodes at once, and moves what their processes leave behind into their folders. */
  private void kill(int life, List<Node> killed, String... names) throws IOException {
    killed.forEach(node -> nodes.network().cutOff(node.calls().self()));
    List<Path> left = new ArrayList<>();
    for (String name : names) {
      left.add(StoredNodes.copy(folderOf(name), folder.resolve(name + "-" + life)));
    }
    nodes.kill(killed);
    for (int i = 0; i < names.length; i++) {
      folders.put(names[i], left.get(i));
    }
  }

  /** By name, the folder of the next process. */
  private final Map<String, Path> folders = new TreeMap<>();

  private Path folderOf(String name) {
    return folders.getOrDefault(name, data(name));
  }

  private Node restart(String name) {
    return nodes.start(name, folderOf(name));
  }

  @Test
  void onlyCopies_ofANodeThatWasKilled_areServedWhenItIsBack() throws IOException {
    List<Node> three = start("a", "b", "c");
    fill(three.getFirst(), 1);
    awaitBalance(three.getFirst(), 3, 1);
    kill(1, List.of(three.get(2)), "c");
    Await.until("a loss", () -> offline(three.getFirst()) > 0);

    Node back = restart("c");
    Await.until("no loss", () -> offline(back) == 0);
    assertEquals(expected, new TreeMap<>(cache(back)));
    assertEquals(expected, new TreeMap<>(cache(three.getFirst())));
    for (String key : expected.keySet()) {
      assertEquals(expected.get(key), cache(three.getFirst()).put(key, "newer"));
    }
    expected.replaceAll((_, _) -> "newer");

    awaitBalance(back, 3, 1);
    kill(2, List.of(back), "c");
    Await.until("a loss", () -> offline(three.getFirst()) > 0);
    Node again = restart("c");
    Await.until("no loss", () -> offline(again) == 0);
    assertEquals(expected, new TreeMap<>(cache(again)));
  }

  /** Of caches in memory, what is lost stays lost until it is given up. */
  @Test
  void cacheInMemory_ofTheSameShape_isNotEmptiedByReturnedDisks() throws IOException {
    List<Node> three = start("a", "b", "c");
    Node a = three.getFirst();
    fill(a, 1);
    CacheConfig inMemory =
        CacheConfig.builder().mode(CacheMode.DIST_SYNC).segments(32).owners(1).build();
    Cache<String, String> memory = a.cache("memory", inMemory);
    for (int i = 0; i < KEYS; i++) {
      memory.put("key-" + i, "value-" + i);
    }
    Topology known = requireNonNull(a.topology());
    int group = requireNonNull(known.cache("memory")).group();
    assertNotEquals(requireNonNull(known.cache(CACHE)).group(), group);
    awaitBalance(a, 3, 1);
    kill(1, List.of(three.get(2)), "c");
    Await.until("a loss", () -> offline(a) > 0);
    Node back = restart("c");
    Await.until("no loss", () -> offline(back) == 0);

    List<SegmentOwners> segments = requireNonNull(a.topology()).segmentsOf(group);
    assertTrue(segments.stream().anyMatch(SegmentOwners::isOffline));
    assertTrue(segments.stream().allMatch(each -> each.restarts() == 0));
  }

  /** Of the nodes but the first one, two that alone have a segment. */
  private static List<Node> twoWithASegment(List<Node> nodes) {
    NodeId first = nodes.getFirst().calls().self();
    List<NodeId> isr =
        segments(nodes.getFirst()).stream()
            .map(SegmentOwners::isr)
            .filter(each -> !each.contains(first))
            .findFirst()
            .orElseThrow();
    return nodes.stream().filter(node -> isr.contains(node.calls().self())).toList();
  }

  private static String name(Node node) {
    return requireNonNull(requireNonNull(node.topology()).member(node.calls().self()))
        .profile()
        .name();
  }

  @Test
  void segmentsOfTwo_thatWereKilledAtOnce_waitForBoth() throws IOException {
    List<Node> five = start("a", "b", "c", "d", "e");
    Node a = five.getFirst();
    fill(a, 2);
    awaitBalance(a, 5, 2);
    List<Node> both = twoWithASegment(five);
    String one = name(both.getFirst());
    String other = name(both.getLast());
    kill(1, both, one, other);
    Await.until("a loss", () -> offline(a) > 0);
    long lost = offline(a);

    Node back = restart(one);
    Await.until("one is in", () -> isMember(a, back));
    assertEquals(lost, offline(a));
    kill(2, List.of(back), one);
    Await.until("one is out", () -> !isMember(a, back));
    Node otherBack = restart(other);
    Await.until("the other is in", () -> isMember(a, otherBack));
    assertEquals(lost, offline(a));
    Node again = restart(one);
    Await.until("no loss", () -> offline(again) == 0);
    assertEquals(expected, new TreeMap<>(cache(again)));
    awaitBalance(a, 5, 2);
    assertEquals(expected, new TreeMap<>(cache(otherBack)));
  }

  private static boolean isMember(Node by, Node node) {
    return requireNonNull(by.topology()).member(node.calls().self()) != null;
  }

  @Test
  void wholeCluster_thatEndsWhileSegmentsWait_comesBackWithThem() throws Exception {
    List<Node> five = start("a", "b", "c", "d", "e");
    Node a = five.getFirst();
    fill(a, 2);
    awaitBalance(a, 5, 2);
    List<Node> both = twoWithASegment(five);
    String one = name(both.getFirst());
    kill(1, both, one, name(both.getLast()));
    Await.until("a loss", () -> offline(a) > 0);
    Node back = restart(one);
    Await.until("one is in", () -> isMember(a, back) && isMember(back, back));
    assertTrue(offline(a) > 0);
    List<Node> rest = new ArrayList<>(five);
    rest.removeAll(both);
    rest.add(back);
    kill(2, rest, rest.stream().map(ReturnedDisksTest::name).toArray(String[]::new));

    List<CompletableFuture<Node>> all = new ArrayList<>();
    for (String name : List.of("a", "b", "c", "d", "e")) {
      all.add(nodes.begin(name, folderOf(name)));
    }
    for (CompletableFuture<Node> each : all) {
      Node node = each.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertEquals(expected, new TreeMap<>(cache(node)));
    }
  }
}
