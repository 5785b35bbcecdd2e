package dev.isogrid.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.CacheStream;
import dev.isogrid.node.SteppedGrids;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Streams of some keys whose entries are more than one page of a segment. */
class FilteredKeysTest {
  private static final int ENTRIES = 20;
  private static final int VALUE_BYTES = 300_000;

  /** More than there are: a stream that begins again and again would never end. */
  private static final int SEEN_MAX = 100;

  private final Set<Integer> wanted =
      IntStream.range(5, 15).boxed().collect(Collectors.toUnmodifiableSet());

  private SteppedGrids grids;
  private Cache<Integer, byte[]> cache;

  @BeforeEach
  void start() throws Exception {
    grids = SteppedGrids.start(1);
    grids.create("c", CacheConfig.builder().mode(CacheMode.DIST_SYNC).segments(1).build());
    cache = grids.nodes().getFirst().cache("c");
    for (int i = 0; i < ENTRIES; i++) {
      cache.put(i, new byte[VALUE_BYTES]);
    }
  }

  @AfterEach
  void close() {
    grids.close();
  }

  private static <T> List<T> all(CacheStream<T> stream) {
    List<T> all = new ArrayList<>();
    try (CacheStream<T> closed = stream) {
      Iterator<T> elements = closed.iterator();
      while (elements.hasNext() && all.size() < SEEN_MAX) {
        all.add(elements.next());
      }
    }
    return all;
  }

  private void expectWanted(List<Integer> keys) {
    assertEquals(wanted.stream().sorted().toList(), keys.stream().sorted().toList());
  }

  @Test
  void keys_inSmallBatches_comeOnceEach() {
    expectWanted(all(cache.keySet().stream().filterKeys(wanted).distributedBatchSize(2)));
  }

  @Test
  void largeEntries_inSeveralPages_comeOnceEach() {
    List<Map.Entry<Integer, byte[]>> entries = all(cache.entrySet().stream().filterKeys(wanted));
    expectWanted(entries.stream().map(Map.Entry::getKey).toList());
    entries.forEach(entry -> assertEquals(VALUE_BYTES, entry.getValue().length));
  }

  @Test
  void mappedEntries_inSeveralPages_comeOnceEach() {
    expectWanted(all(cache.entrySet().stream().filterKeys(wanted).map(entry -> entry.getKey())));
    expectWanted(
        all(
            cache.entrySet().stream()
                .filterKeys(wanted)
                .distributedBatchSize(1)
                .map(entry -> entry.getKey())));
  }
}
