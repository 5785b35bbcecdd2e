package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEntry;
import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.EntryMergePolicy;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.MergePolicy;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.engine.SideCounts;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Caches that go on on both sides of a split. */
class SplitTest {
  private static final int KEYS = 30;
  private static final long LIFESPAN_MILLIS = 3_600_000;

  /** Takes both values, for a time from then on. */
  public static final class Both implements EntryMergePolicy<String, String> {
    /** For the grid. */
    public Both() {}

    @Override
    public @Nullable CacheEntry<String, String> merge(
        @Nullable CacheEntry<String, String> preferred, List<CacheEntry<String, String>> others) {
      if (preferred == null || others.isEmpty()) {
        return null;
      }
      String both = preferred.value() + "+" + others.getFirst().value();
      return new CacheEntry<>(preferred.key(), both, 1, -1, LIFESPAN_MILLIS, -1, -1);
    }
  }

  @TempDir private static Path folder;

  /** Three nodes, whole between the tests. */
  private static SplitNodes three;

  @BeforeAll
  static void start() throws Exception {
    three = SplitNodes.start(folder, 3);
  }

  @AfterAll
  static void close() {
    three.close();
  }

  private static CacheConfig replicated(MergePolicy policy) {
    return SplitNodes.available(policy).toBuilder().mode(CacheMode.REPL_SYNC).build();
  }

  private static void putAll(Cache<String, String> cache, String prefix, int from, int to) {
    for (int i = from; i < to; i++) {
      cache.put("k" + i, prefix + i);
    }
  }

  /** Asserts that all nodes have a value, or none if it is null. */
  private static void expect(
      SplitNodes nodes, String cache, CacheConfig config, String key, @Nullable String value) {
    for (int i : nodes.byAge()) {
      assertEquals(value, nodes.cache(i, cache, config).get(key), key + " on node " + i);
    }
  }

  @Test
  void minority_readsAndWritesOn_andHandsOverWhatNobodyElseChanged() throws Exception {
    CacheConfig config = replicated(MergePolicy.NONE);
    CacheConfig strict = EmbeddedNodes.distributed();
    int major = three.byAge().getFirst();
    int minor = three.byAge().getLast();
    Cache<String, String> there = three.cache(major, "available", config);
    Cache<String, String> strictThere = three.cache(major, "strict", strict);
    putAll(there, "before", 0, KEYS);
    putAll(strictThere, "before", 0, KEYS);
    Cache<String, String> here = three.cache(minor, "available", config);
    Cache<String, String> strictHere = three.cache(minor, "strict", strict);
    three.awaitWhole();
    long lost = three.sum(SideCounts::lost);
    long handedOver = three.sum(SideCounts::handedOver);
    three.cut(List.of(minor));
    three.awaitApart(List.of(minor));
    CompletableFuture<Boolean> refusesWrites = refuses(() -> strictHere.put("k0", "side"));
    CompletableFuture<Boolean> refusesReads = refuses(() -> strictHere.get("k0"));
    writeOn(here);
    assertThrows(RetryableGridException.class, here::size);
    assertThrows(RetryableGridException.class, here::clear);
    putAll(there, "major", 20, 25);
    strictThere.put("k1", "major");
    assertTrue(refusesWrites.get() && refusesReads.get());
    three.heal();
    assertEquals("side0", here.get("k0"));
    here.put("k1", "after");
    three.awaitWhole();
    expectHandedOver(three, config);
    expect(three, "strict", strict, "k0", "before0");
    expect(three, "strict", strict, "k1", "major");
    assertEquals(KEYS, here.size());
    assertEquals(5, three.sum(SideCounts::lost) - lost);
    assertEquals(11, three.sum(SideCounts::handedOver) - handedOver);
  }

  private static CompletableFuture<Boolean> refuses(Runnable operation) {
    return CompletableFuture.supplyAsync(() -> {
      try {
        operation.run();
        return false;
      } catch (GridException refused) {
        return true;
      }
    });
  }

  /** Operations of all kinds on a side. */
  private static void writeOn(Cache<String, String> here) {
    assertEquals("before3", here.get("k3"));
    putAll(here, "side", 0, 5);
    assertEquals("side3", here.get("k3"));
    assertEquals("before5", here.remove("k5"));
    assertNull(here.get("k5"));
    assertEquals("before6", here.putIfAbsent("k6", "no"));
    assertNull(here.putIfAbsent("new", "side"));
    assertTrue(here.replace("k7", "before7", "side7"));
    assertFalse(here.replace("k7", "before7", "no"));
    assertEquals("before8!", here.compute("k8", (_, old) -> old + "!"));
    assertEquals("before8!?", here.merge("k8", "?", String::concat));
    here.putAll(Map.of("k9", "side9", "k10", "side10"));
    assertEquals(2, here.getAll(Set.of("k9", "k10")).size());
    putAll(here, "side", 20, 25);
  }

  private static void expectHandedOver(SplitNodes nodes, CacheConfig config) {
    expect(nodes, "available", config, "k0", "side0");
    expect(nodes, "available", config, "k1", "after");
    expect(nodes, "available", config, "k5", null);
    expect(nodes, "available", config, "k6", "before6");
    expect(nodes, "available", config, "new", "side");
    expect(nodes, "available", config, "k7", "side7");
    expect(nodes, "available", config, "k8", "before8!?");
    expect(nodes, "available", config, "k10", "side10");
    IntStream.range(20, 25).forEach(i -> expect(nodes, "available", config, "k" + i, "major" + i));
    expect(nodes, "available", config, "k29", "before29");
  }

  @Test
  void nobody_withAMajority_allGoOnAndAgreeAfterwards() throws Exception {
    CacheConfig config = replicated(MergePolicy.PREFERRED_NON_NULL);
    String name = "nobody";
    putAll(three.cache(0, name, config), "before", 0, KEYS);
    three.awaitWhole();
    long lost = three.sum(SideCounts::lost);
    List<Integer> all = three.byAge();
    three.cutAll();
    three.awaitApart(all);
    for (int i : all) {
      Cache<String, String> cache = three.cache(i, name, config);
      cache.put("k" + i, "own" + i);
      cache.put("common", "by" + i);
    }
    three.heal();
    three.awaitWhole();
    for (int i : all) {
      expect(three, name, config, "k" + i, "own" + i);
    }
    String common = three.cache(0, name, config).get("common");
    assertTrue(List.of("by0", "by1", "by2").contains(common), "common: " + common);
    expect(three, name, config, "common", common);
    assertEquals(2, three.sum(SideCounts::lost) - lost);
  }

  @Test
  void younger_ofTwo_goesOnAndTheUsersPolicyMerges() throws Exception {
    try (SplitNodes nodes = SplitNodes.start(folder, 2, 2000)) {
      CacheConfig config = replicated(MergePolicy.of(Both.class));
      int older = nodes.byAge().getFirst();
      int younger = nodes.byAge().getLast();
      putAll(nodes.cache(older, "available", config), "before", 0, KEYS);
      nodes.awaitWhole();
      Cache<String, String> here = nodes.cache(younger, "available", config);
      nodes.awaitCommitted("available");
      nodes.cut(List.of(younger));
      nodes.awaitApart(List.of(younger));
      here.put("k1", "side");
      here.put("k2", "side");
      nodes.cache(older, "available", config).put("k1", "major");
      String large = "x".repeat(3000);
      assertThrows(CacheFullException.class, () -> here.put("k3", large));
      assertEquals("before3", here.get("k3"));
      nodes.heal();
      nodes.awaitWhole();
      expect(nodes, "available", config, "k1", "major+side");
      expect(nodes, "available", config, "k2", "side");
      expect(nodes, "available", config, "k3", "before3");
      assertEquals(1, nodes.sum(SideCounts::merged));
    }
  }

  @Test
  void cache_withAPolicyThatIsNoClass_isRefused() {
    try (Grid grid = Grid.start()) {
      CacheConfig unknown = SplitNodes.available(MergePolicy.of("no.such.Policy"));
      assertThrows(InvalidRequestException.class, () -> grid.cache("a", unknown));
      CacheConfig other = SplitNodes.available(MergePolicy.of("java.lang.String"));
      assertThrows(InvalidRequestException.class, () -> grid.cache("b", other));
    }
  }
}
