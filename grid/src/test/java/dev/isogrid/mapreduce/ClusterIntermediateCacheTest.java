package dev.isogrid.mapreduce;

import static dev.isogrid.mapreduce.WordCount.SUM;
import static dev.isogrid.mapreduce.WordCount.awaitMapped;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Grid;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.MapReduceException;
import dev.isogrid.api.MapReduceJob;
import dev.isogrid.api.MapReduceTask;
import dev.isogrid.api.Reducer;
import dev.isogrid.api.StorageType;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.EntryWalk;
import dev.isogrid.node.EmbeddedNodes;
import dev.isogrid.node.Node;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.NodeId;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Map/reduce on nodes that share a cache, with pairs in another one. */
class ClusterIntermediateCacheTest {
  private static final int ENTRIES = 2000;
  private static final int SEGMENTS = 32;
  private static final Reducer<String, Long> FAILING =
      (_, _) -> {
        throw new IllegalStateException("asked to fail");
      };

  private final EmbeddedNodes nodes;
  private Map<String, Long> expected = Map.of();
  private final Grid first;

  ClusterIntermediateCacheTest() throws Exception {
    nodes = EmbeddedNodes.start(3);
    first = nodes.node(0);
  }

  @BeforeEach
  void fill() {
    Cache<Integer, String> texts = cache("texts", CacheMode.DIST_SYNC, 2);
    Random random = new Random(9);
    expected = WordCount.fill(texts, ENTRIES, () -> WordCount.text(random, 20, 3000));
  }

  @AfterEach
  void close() throws Exception {
    GatedWords.open(GatedWords.ALL);
    nodes.close();
    GatedWords.close();
    TaskLeftovers.assertNone();
  }

  private <K, V> Cache<K, V> cache(String name, CacheMode mode, int owners) {
    return first.cache(
        name, CacheConfig.builder().mode(mode).owners(owners).segments(SEGMENTS).build());
  }

  private MapReduceTask<String, Long> task(Cache<?, ?> pairs) {
    Cache<Integer, String> texts = first.cache("texts");
    return first
        .mapReduce(texts)
        .mappedWith(GatedWords.WORDS)
        .reducedWith(SUM)
        .usingSharedIntermediateCache(pairs.name());
  }

  @Test
  void pairs_mayBeInCachesOfAnyKind() throws Exception {
    GatedWords.open(GatedWords.ALL);
    for (Cache<String, String> pairs :
        List.<Cache<String, String>>of(
            cache("one", CacheMode.DIST_SYNC, 1),
            cache("two", CacheMode.DIST_SYNC, 2),
            cache("later", CacheMode.DIST_ASYNC, 2),
            cache("all", CacheMode.REPL_SYNC, 1))) {
      pairs.put("a", "b");
      for (MapReduceTask<String, Long> each :
          List.of(
              task(pairs),
              task(pairs).combinedWith(Long::sum),
              task(pairs).reducedHere(),
              task(pairs).memoryMax(1 << 16))) {
        MapReduceJob<String, Long> job = each.start();
        awaitMapped(job);
        assertTrue(pairs.size() > 3, pairs.name());
        assertEquals(expected, job.result(), pairs.name());
        assertEquals(Map.of("a", "b"), new HashMap<>(pairs), pairs.name());
      }
    }
  }

  @Test
  void unfitCaches_areRefused() {
    Cache<?, ?> local =
        first.cache("local", CacheConfig.builder().storage(StorageType.HEAP_BINARY).build());
    InvalidRequestException refusal =
        assertThrows(InvalidRequestException.class, task(local)::start);
    String message = String.valueOf(refusal.getMessage());
    assertTrue(message.contains("cache=local, it is local"), message);
    Cache<?, ?> invalidating = cache("invalidating", CacheMode.INVALIDATION_SYNC, 1);
    assertThrows(InvalidRequestException.class, task(invalidating)::start);
  }

  @Test
  void entries_areNearWhoReadsThem() {
    cache("pairs", CacheMode.DIST_SYNC, 1);
    CacheEngine<BinaryKey, Bytes> engine = requireNonNull(((Node) first).engine("pairs"));
    for (int i = 0; i < 3; i++) {
      NodeId near = ((Node) nodes.node(i)).calls().self();
      assertEquals(near, engine.primary(segmentOfEntry(engine, near, i)));
    }
  }

  @Test
  void failedCancelledAndLateTasks_leaveNoEntryOnAnyNode() throws Exception {
    Cache<String, String> pairs = cache("pairs", CacheMode.DIST_SYNC, 2);
    pairs.put("a", "b");
    for (String fault : List.of("reducer", "late", "cancelled", "unwanted")) {
      boolean hangs = fault.equals("late") || fault.equals("cancelled");
      GatedWords.close();
      GatedWords.open(hangs ? ENTRIES * 3 / 4 : GatedWords.ALL);
      MapReduceTask<String, Long> task =
          task(pairs).reducedWith(fault.equals("reducer") ? FAILING : SUM);
      MapReduceJob<String, Long> job =
          fault.equals("late") ? task.timeout(2, TimeUnit.SECONDS).start() : task.start();
      if (fault.equals("cancelled")) {
        Await.until("some", () -> GatedWords.BEGUN.get() > ENTRIES * 3 / 4);
        job.cancel();
      } else if (fault.equals("unwanted")) {
        awaitMapped(job);
        assertTrue(pairs.size() > 3);
        job.cancel();
      }
      assertThrows(MapReduceException.class, job::result, fault);
      assertEquals(Map.of("a", "b"), new HashMap<>(pairs), fault);
    }
  }

  /** Counts words while a node fails, which changes no count and leaves no entry. */
  private void failWhile(boolean isMapping, int owners) throws Exception {
    Cache<Object, Object> pairs = cache("pairs", CacheMode.DIST_SYNC, owners);
    if (owners > 1) {
      nodes.awaitCopies();
    }
    GatedWords.open(isMapping ? ENTRIES / 2 : GatedWords.ALL);
    MapReduceJob<String, Long> job = task(pairs).start();
    if (isMapping) {
      Await.until("half of it", () -> GatedWords.BEGUN.get() >= ENTRIES / 2);
    } else {
      awaitMapped(job);
    }
    nodes.node(2).close();
    GatedWords.open(GatedWords.ALL);
    assertEquals(expected, job.result());
    CacheEngine<BinaryKey, Bytes> engine = requireNonNull(((Node) first).engine("pairs"));
    Await.until("no entry", () -> isEmptyWhereKnown(engine));
    for (int i = 0; i < 100; i++) {
      int segment = segmentOfEntry(engine, new NodeId(0, 1), i);
      assertNotNull(engine.primary(segment), "entries of who has no segment are where they can be");
    }
  }

  private static int segmentOfEntry(CacheEngine<BinaryKey, Bytes> engine, NodeId near, int number) {
    PairEntry.Part part = new PairEntry.Part(1, number, 10);
    Bytes value = PairEntry.value(new byte[10]);
    PairEntry entry = PairEntry.of(engine, near, UUID.randomUUID(), part, value);
    return engine.segmentOf(entry.binaryKey().hash());
  }

  /** Whether there is no entry in the segments that are not lost with their only owner. */
  private static boolean isEmptyWhereKnown(CacheEngine<BinaryKey, Bytes> engine) {
    BitSet known = new BitSet();
    for (int segment = 0; segment < SEGMENTS; segment++) {
      known.set(segment, engine.primary(segment) != null);
    }
    assertTrue(known.cardinality() > SEGMENTS / 2);
    try (EntryWalk<BinaryKey, Bytes> walk = engine.walk(known, false)) {
      return !walk.next(engine.newView());
    }
  }

  @Test
  void nodeThatJoins_takesEntriesOver_andChangesNoCount() throws Exception {
    Cache<Object, Object> pairs = cache("pairs", CacheMode.DIST_SYNC, 1);
    CacheEngine<BinaryKey, Bytes> engine = requireNonNull(((Node) first).engine("pairs"));
    GatedWords.open(GatedWords.ALL);
    MapReduceJob<String, Long> job = task(pairs).start();
    awaitMapped(job);
    NodeId joined = ((Node) nodes.join("n3")).calls().self();
    Await.until(
        "its share",
        () -> IntStream.range(0, SEGMENTS).anyMatch(i -> joined.equals(engine.primary(i))));
    assertEquals(expected, job.result());
    assertEquals(0, pairs.size());
  }

  @Test
  void nodeThatFails_whileAllMap_changesNoCount() throws Exception {
    failWhile(true, 2);
  }

  @Test
  void nodeThatFails_whileAllMap_withOneOwner_changesNoCount() throws Exception {
    failWhile(true, 1);
  }

  @Test
  void nodeThatFails_afterMapping_isMadeUpFor() throws Exception {
    failWhile(false, 2);
  }

  @Test
  void nodeThatFails_afterMapping_withOneOwner_isMadeUpFor() throws Exception {
    failWhile(false, 1);
  }
}
