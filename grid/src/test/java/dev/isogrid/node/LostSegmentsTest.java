package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEntry;
import dev.isogrid.api.CacheEvent;
import dev.isogrid.api.CacheListener;
import dev.isogrid.api.Grid;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.KeyAffinity;
import dev.isogrid.api.Rebalancing;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The actions of an operator on entries whose nodes are all gone. */
class LostSegmentsTest {
  private static final int KEYS = 200;

  @TempDir private Path folder;

  private static CacheConfig single() {
    return EmbeddedNodes.distributed().toBuilder().owners(1).build();
  }

  /** The values of puts, and the segments of gaps. */
  private static final class Heard implements CacheListener<String, String> {
    final Set<String> values = ConcurrentHashMap.newKeySet();
    final Set<Integer> gaps = ConcurrentHashMap.newKeySet();

    @Override
    public void onEvent(CacheEvent<String, String> event) {
      String value = event.value();
      if (value != null) {
        values.add(event.key() + "=" + value);
      }
    }

    @Override
    public void onGap(int segment) {
      gaps.add(segment);
    }
  }

  private static void await(SplitNodes nodes, int lost) throws Exception {
    for (int i : nodes.byAge()) {
      Await.until(
          "lost segments: " + lost, () -> nodes.node(i).rebalancing().lostSegments("c") == lost);
    }
  }

  private static int lost(SplitNodes nodes, int here) throws Exception {
    Rebalancing rebalancing = nodes.node(here).rebalancing();
    Await.until("a loss", () -> rebalancing.lostSegments("c") > 0);
    // The cluster knows it first, then the node.
    Await.until("a loss of keys", () -> !lostKeys(nodes, here).isEmpty());
    return rebalancing.lostSegments("c");
  }

  @Test
  void restartLost_afterANodeDied_bringsItsSegmentsBackEmpty() throws Exception {
    try (SplitNodes nodes = SplitNodes.start(folder, 3)) {
      int here = nodes.byAge().getFirst();
      int other = nodes.byAge().get(1);
      Cache<String, String> cache = nodes.cache(here, "c", single());
      Cache<String, String> there = nodes.cache(other, "c", single());
      nodes.cache(here, "same", single());
      nodes.awaitWhole();
      Heard heard = new Heard();
      Heard heardThere = new Heard();
      cache.addListener(heard);
      there.addListener(heardThere);
      Map<String, Long> versions = new HashMap<>();
      for (int i = 0; i < KEYS; i++) {
        cache.put("k" + i, "old");
        cache.put("k" + i, "older" + i);
        versions.put("k" + i, requireNonNull(cache.getEntry("k" + i)).version());
      }
      assertEquals(0, nodes.node(here).rebalancing().restartLost("c"));
      nodes.kill(nodes.byAge().getLast());
      int lost = lost(nodes, here);
      await(nodes, lost);
      Set<String> gone = lostKeys(nodes, here);
      assertFalse(gone.isEmpty());
      assertEquals(lost, nodes.node(other).rebalancing().lostSegments("same"));
      RetryableGridException refused =
          assertThrows(RetryableGridException.class, () -> cache.get(gone.iterator().next()));
      String text = requireNonNull(refused.getMessage());
      assertTrue(text.contains("since all nodes that have its entries are gone"), text);
      assertTrue(text.contains("Rebalancing.restartLost"), text);

      assertEquals(lost, nodes.node(here).rebalancing().restartLost("c"));
      await(nodes, 0);
      assertEquals(0, nodes.node(other).rebalancing().lostSegments("same"));
      for (int i = 0; i < KEYS; i++) {
        String key = "k" + i;
        assertEquals(gone.contains(key) ? null : "older" + i, cache.get(key));
      }
      assertEquals(KEYS - gone.size(), cache.size());
      writeAnew(cache, gone, versions);
      for (Heard each : List.of(heard, heardThere)) {
        Await.until(
            "changes after the restart",
            () -> gone.stream().allMatch(key -> each.values.contains(key + "=new")));
        assertEquals(lost, each.gaps.size());
      }
      gone.forEach(key -> assertEquals("new", there.get(key)));
    }
  }

  @Test
  void clearAndPutAll_ofWhichSomeSegmentsAreLost_sayHowMuchWasDone() throws Exception {
    try (SplitNodes nodes = SplitNodes.start(folder, 3)) {
      int here = nodes.byAge().getFirst();
      Cache<String, String> cache = nodes.cache(here, "c", single());
      nodes.awaitWhole();
      Map<String, String> all = new HashMap<>();
      for (int i = 0; i < KEYS; i++) {
        all.put("k" + i, "v");
      }
      cache.putAll(all);
      nodes.kill(nodes.byAge().getLast());
      lost(nodes, here);
      assertTold(assertThrows(IndeterminateGridException.class, cache::clear));
      assertTold(assertThrows(IndeterminateGridException.class, () -> cache.putAll(all)));
    }
  }

  private static void assertTold(IndeterminateGridException failure) {
    String text = requireNonNull(failure.getMessage());
    assertTrue(text.contains("since all nodes that have its entries are gone"), text);
    assertTrue(text.contains(" were done, "), text);
  }

  /** A node that knows what was before it gave the segments up knows nothing of what was since. */
  @Test
  void listeners_ofAFormerReplica_areToldOfTheGap() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(2)) {
      List<Heard> all = List.of(new Heard(), new Heard());
      for (int i = 0; i < all.size(); i++) {
        Cache<String, String> cache = nodes.node(i).cache("c", single());
        cache.addListener(all.get(i));
        for (int key = 0; key < KEYS; key++) {
          cache.put("k" + key, "value" + i);
        }
      }
      Grid late = nodes.join("late");
      Rebalancing rebalancing = nodes.node(0).rebalancing();
      Topology[] known = new Topology[1];
      Await.until(
          "segments of the node that joined",
          () -> {
            known[0] = requireNonNull(((Node) nodes.node(0)).topology());
            return rebalancing.progress().isComplete()
                && known[0].segments().stream().anyMatch(each -> ownedBy(each, late));
          });
      late.close();
      Await.until("a loss", () -> rebalancing.lostSegments("c") > 0);
      int lost = rebalancing.restartLost("c");
      assertTrue(lost > 0);
      for (Heard each : all) {
        Await.until("gaps", () -> each.gaps.size() == lost);
      }
    }
  }

  private static boolean ownedBy(SegmentOwners owners, Grid grid) {
    return ((Node) grid).calls().self().equals(owners.primary());
  }

  /** As many writes as before get other versions. */
  private static void writeAnew(
      Cache<String, String> cache, Set<String> keys, Map<String, Long> versions) {
    for (String key : keys) {
      long before = requireNonNull(versions.get(key));
      cache.put(key, "first");
      cache.put(key, "second");
      assertFalse(cache.replaceIfVersion(key, "wrong", before));
      cache.put(key, "new");
      CacheEntry<String, String> entry = requireNonNull(cache.getEntry(key));
      assertEquals("new", entry.value());
      assertTrue(entry.version() > before, key);
    }
  }

  /** The keys in segments that nobody serves. */
  private static Set<String> lostKeys(SplitNodes nodes, int index) {
    Topology topology = requireNonNull(nodes.node(index).topology());
    int group = requireNonNull(topology.cache("c")).group();
    KeyAffinity<String> affinity = nodes.node(index).keyAffinity("c", () -> "");
    return IntStream.range(0, KEYS)
        .mapToObj(i -> "k" + i)
        .filter(key -> topology.segmentsOf(group).get(affinity.segmentOf(key)).isOffline())
        .collect(Collectors.toSet());
  }

  /** Whether a node is the only one that has some of the keys, as all nodes know. */
  private static boolean hasKeys(SplitNodes nodes, int index) {
    Grid owner = nodes.node(index);
    return nodes.byAge().stream()
        .allMatch(i -> {
          Topology topology = requireNonNull(nodes.node(i).topology());
          int group = requireNonNull(topology.cache("c")).group();
          KeyAffinity<String> affinity = owner.keyAffinity("c", () -> "");
          return IntStream.range(0, KEYS)
              .mapToObj(k -> topology.segmentsOf(group).get(affinity.segmentOf("k" + k)))
              .anyMatch(owners -> ownedBy(owners, owner));
        });
  }

  @Test
  void restartLost_whileTheNodeIsOnlyCutOff_takesItsCopy() throws Exception {
    try (SplitNodes nodes = SplitNodes.start(folder, 3)) {
      int here = nodes.byAge().getFirst();
      int cut = nodes.byAge().getLast();
      Cache<String, String> cache = nodes.cache(here, "c", single());
      nodes.cache(cut, "c", single());
      nodes.awaitWhole();
      for (int i = 0; i < KEYS; i++) {
        cache.put("k" + i, "old");
      }
      Await.until("keys at the node that is cut off", () -> hasKeys(nodes, cut));
      nodes.cut(List.of(cut));
      int lost = lost(nodes, here);
      Set<String> gone = lostKeys(nodes, here);
      assertEquals(lost, nodes.node(here).rebalancing().restartLost("c"));
      String key = gone.iterator().next();
      cache.put(key, "new");
      nodes.heal();
      nodes.awaitWhole();
      for (String each : gone) {
        String expected = each.equals(key) ? "new" : null;
        for (int i : nodes.byAge()) {
          assertEquals(expected, nodes.cache(i, "c", single()).get(each), each + " at " + i);
        }
      }
    }
  }

  @Test
  void lostSegments_ofCachesThatAreNotTheClusters_areRefused() {
    try (Grid grid = Grid.start()) {
      grid.cache("c");
      assertThrows(InvalidRequestException.class, () -> grid.rebalancing().lostSegments("c"));
      assertThrows(InvalidRequestException.class, () -> grid.rebalancing().restartLost("c"));
      assertNull(grid.cache("c").get("k"));
    }
  }
}
