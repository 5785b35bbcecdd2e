package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.GridException;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.WhenFull;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes of many keys that fail in part: the figures of the error are those of the cache. */
class PutAllFailureTest {
  private static final int KEYS = 1000;

  /** More than have a command under way at a time. */
  private static final int MANY_SEGMENTS = 512;

  private static Map<String, String> entries(String value) {
    Map<String, String> entries = new HashMap<>();
    for (int i = 0; i < KEYS; i++) {
      entries.put("key" + i, value + i);
    }
    return entries;
  }

  private static CacheConfig.Builder ofSegments(int segments) {
    return EmbeddedNodes.distributed().toBuilder().segments(segments);
  }

  /** The keys by their segments, learned from an unbounded cache that is cut in the same way. */
  private static Map<Integer, List<String>> keysBySegment(EmbeddedNodes nodes, int segments) {
    Cache<String, String> all = nodes.node(0).cache("all", ofSegments(segments).build());
    all.putAll(entries("a"));
    Map<Integer, List<String>> keys = new TreeMap<>();
    for (int segment = 0; segment < segments; segment++) {
      List<String> found =
          all.entrySet().stream().filterKeySegments(segment).map(Map.Entry::getKey).toList();
      if (!found.isEmpty()) {
        keys.put(segment, found);
      }
    }
    return keys;
  }

  private static Predicate<String> isStored(Cache<String, String> cache, String value) {
    return isIn(cache.getAll(entries(value).keySet()), value);
  }

  private static Predicate<String> isIn(Map<String, String> stored, String value) {
    return key -> (value + key.substring("key".length())).equals(stored.get(key));
  }

  /** With few segments all are named and begun; with many some are only counted. */
  @ParameterizedTest
  @ValueSource(ints = {8, MANY_SEGMENTS})
  void putAll_intoAFullCache_countsAndNamesWhatItIsTrueOf(int segments) throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(2)) {
      Map<Integer, List<String>> keys = keysBySegment(nodes, segments);
      CacheConfig bounded =
          ofSegments(segments).maxCount(KEYS / 10).whenFull(WhenFull.EXCEPTION).build();
      for (int node = 0; node < 2; node++) {
        Cache<String, String> cache = nodes.node(node).cache("c" + node, bounded);
        CacheFullException full =
            assertThrows(CacheFullException.class, () -> cache.putAll(entries("b")));
        PutAllReport report = PutAllReport.of(full);
        report.checkCertain(keys, isStored(cache, "b"));
        assertTrue(report.done() > 0, full::getMessage);
        assertEquals(segments == MANY_SEGMENTS, report.notBegun() > 0, full::getMessage);
        assertEquals(report.done(), cache.size());
      }
    }
  }

  @Test
  void putAll_whoseCallerIsInterrupted_namesWhatIsUncertain() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(3)) {
      Map<Integer, List<String>> keys = keysBySegment(nodes, 8);
      Cache<String, String> cache = nodes.node(0).cache("c", ofSegments(8).build());
      Thread.currentThread().interrupt();
      try {
        cache.putAll(entries("b"));
        assertTrue(Thread.interrupted(), "the interruption is kept of a caller that need not wait");
        assertEquals(entries("b"), cache.getAll(entries("b").keySet()));
      } catch (IndeterminateGridException failure) {
        assertTrue(Thread.interrupted(), "the caller's interruption is kept");
        PutAllReport.of(failure).check(keys, isStored(cache, "b"));
      }
    }
  }

  @Test
  void putAll_whileANodeDies_isDoneOrSaysTruly_andNothingIsLost() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(3)) {
      Map<Integer, List<String>> keys = keysBySegment(nodes, 32);
      Cache<String, String> first = nodes.node(0).cache("c", ofSegments(32).build());
      Cache<String, String> second = nodes.node(1).cache("c", ofSegments(32).build());
      first.putAll(entries("a"));
      nodes.awaitCopies();
      CompletableFuture<?> storing = first.putAllAsync(entries("b"));
      nodes.node(2).close();
      try {
        storing.get(120, TimeUnit.SECONDS);
        assertEquals(entries("b"), second.getAll(entries("b").keySet()));
      } catch (ExecutionException failed) {
        GridException why = assertInstanceOf(GridException.class, failed.getCause());
        Map<String, String> stored = second.getAll(entries("b").keySet());
        PutAllReport.of(why).check(keys, isIn(stored, "b"));
        Predicate<String> isKept = isIn(stored, "a").or(isIn(stored, "b"));
        assertTrue(entries("b").keySet().stream().allMatch(isKept), () -> "lost: " + stored);
      }
    }
  }
}
