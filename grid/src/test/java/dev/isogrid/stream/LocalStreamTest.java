package dev.isogrid.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheStream;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Streams over caches of a single node. */
class LocalStreamTest {
  private final Grid grid = Grid.start(GridConfig.builder().nodeName("n").build());

  @AfterEach
  void close() {
    grid.close();
  }

  private <K, V> Cache<K, V> cache(StorageType storage) {
    return grid.createCache("c", CacheConfig.builder().storage(storage).segments(8).build());
  }

  @ParameterizedTest
  @EnumSource(StorageType.class)
  void randomStreams_giveWhatThoseOfTheJdkGive(StorageType storage) {
    Cache<String, Integer> cache = cache(storage);
    Seeds.run(
        3,
        random -> {
          cache.clear();
          Map<String, Integer> model = StreamModel.fill(cache, 300, random);
          StreamModel streams = new StreamModel(cache, model, random);
          for (int i = 0; i < 100; i++) {
            streams.step();
          }
          streams.checkParts();
        });
  }

  @Test
  void parallelStream_overObjects_handsOutTheObjectsThemselves() {
    Cache<String, Object> cache = cache(StorageType.HEAP_OBJECT);
    Object value = new Object();
    cache.put("key", value);
    assertSame(value, cache.values().parallelStream().findAny().orElseThrow());
    Set<String> seen = ConcurrentHashMap.newKeySet();
    cache.keySet().parallelStream().forEach(seen::add);
    assertEquals(Set.of("key"), seen);
  }

  @Test
  void count_ofAWholeCache_tellsOfItsSegments() {
    Cache<String, Integer> cache = cache(StorageType.HEAP_BINARY);
    IntStream.range(0, 100).forEach(i -> cache.put("k" + i, i));
    TreeSet<Integer> done = new TreeSet<>();
    long count =
        cache.keySet().stream()
            .segmentCompletionListener(segments -> IntStream.of(segments).forEach(done::add))
            .count();
    assertEquals(100, count);
    assertEquals(Set.of(0, 1, 2, 3, 4, 5, 6, 7), done);
  }

  @Test
  void filters_bySegmentsAndKeys_leaveOthersOut() {
    Cache<String, Integer> cache = cache(StorageType.HEAP_BINARY);
    IntStream.range(0, 100).forEach(i -> cache.put("k" + i, i));
    List<Integer> bySegment = new ArrayList<>();
    for (int segment = 0; segment < 8; segment++) {
      bySegment.addAll(cache.values().stream().filterKeySegments(segment).toList());
    }
    assertEquals(100, new TreeSet<>(bySegment).size());
    assertEquals(100, bySegment.size());
    assertEquals(
        Set.of(3, 7),
        Set.copyOf(cache.values().stream().filterKeys(Set.of("k3", "k7", "x")).toList()));
    assertEquals(1, cache.keySet().stream().filterKeys(Set.of("k3", "y")).count());
    assertThrows(
        IllegalArgumentException.class, () -> cache.keySet().stream().filterKeySegments(8));
  }

  @Test
  void listener_isToldOfEachSegmentOnce() {
    Cache<String, Integer> cache = cache(StorageType.OFF_HEAP);
    IntStream.range(0, 50).forEach(i -> cache.put("k" + i, i));
    List<Integer> done = new ArrayList<>();
    CacheStream<Integer> stream =
        cache.values().stream()
            .segmentCompletionListener(segments -> IntStream.of(segments).forEach(done::add));
    assertEquals(50, stream.toList().size());
    assertEquals(IntStream.range(0, 8).boxed().toList(), done.stream().sorted().toList());
  }

  @Test
  void stream_usedTwice_isRefused() {
    Cache<String, Integer> cache = cache(StorageType.HEAP_OBJECT);
    CacheStream<Integer> stream = cache.values().stream();
    assertEquals(0, stream.count());
    assertThrows(IllegalStateException.class, stream::count);
    boolean[] isClosed = {false};
    try (CacheStream<Integer> other = cache.values().stream().onClose(() -> isClosed[0] = true)) {
      assertTrue(other.findFirst().isEmpty());
    }
    assertTrue(isClosed[0]);
  }
}
