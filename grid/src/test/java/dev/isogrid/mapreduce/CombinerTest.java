package dev.isogrid.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.BytesMapper;
import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Combiner;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.MapReduceInput;
import dev.isogrid.api.MapReduceJob;
import dev.isogrid.api.MapReduceTask;
import dev.isogrid.api.Mapper;
import dev.isogrid.api.Reducer;
import dev.isogrid.api.StorageType;
import dev.isogrid.node.EmbeddedNodes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The promise to combiners: each value counts once, whichever argument it is, and whichever
 * argument the combiner changes and returns. Values are lists that combiners join, so that the test
 * detects values that are lost, counted twice or shared with another key.
 */
class CombinerTest {
  private static final int ENTRIES = 20_000;
  private static final int KEYS = 500;

  /** Little enough that the lists of all entries do not fit. */
  private static final long SMALL_MEMORY = 1 << 16;

  private static final Combiner<List<Integer>> INTO_LEFT =
      (left, right) -> {
        left.addAll(right);
        return left;
      };

  private static final Combiner<List<Integer>> INTO_RIGHT =
      (left, right) -> {
        right.addAll(left);
        return right;
      };

  private static final Combiner<List<Integer>> INTO_NEITHER =
      (left, right) -> {
        List<Integer> both = new ArrayList<>(left);
        both.addAll(right);
        return both;
      };

  /** Emits the number of a text such as {@code 17 key3}, by the key. */
  private static final Mapper<Integer, String, String, List<Integer>> PARSED =
      (_, text, out) -> {
        int space = text.indexOf(' ');
        out.emit(text.substring(space + 1), listOf(Integer.parseInt(text.substring(0, space))));
      };

  private static final Reducer<String, List<Integer>> JOINED =
      (_, values) -> {
        List<Integer> all = values.next();
        values.forEachRemaining(all::addAll);
        return all;
      };

  private static final CacheConfig CACHE =
      CacheConfig.builder().mode(CacheMode.DIST_SYNC).storage(StorageType.HEAP_BINARY).build();

  private final Map<String, List<Integer>> expected = new HashMap<>();

  private static List<Integer> listOf(int number) {
    return new ArrayList<>(List.of(number));
  }

  private MapReduceInput<Integer, String> fill(Grid grid) {
    Cache<Integer, String> cache = grid.cache("c", CACHE);
    Random random = new Random(1);
    Map<Integer, String> texts = new HashMap<>();
    for (int number = 0; number < ENTRIES; number++) {
      String key = "key" + random.nextInt(KEYS);
      texts.put(number, number + " " + key);
      expected.computeIfAbsent(key, _ -> new ArrayList<>()).add(number);
    }
    cache.putAll(texts);
    return grid.mapReduce(cache);
  }

  private void assertAllOnce(MapReduceTask<String, List<Integer>> task, boolean spills) {
    for (Combiner<List<Integer>> combiner : List.of(INTO_LEFT, INTO_RIGHT, INTO_NEITHER)) {
      MapReduceTask<String, List<Integer>> combined =
          task.combinedWith(combiner).memoryMax(spills ? SMALL_MEMORY : 0);
      assertAllOnce(combined.start(), spills);
      assertAllOnce(combined.reducedWith(JOINED).start(), spills);
    }
  }

  private void assertAllOnce(MapReduceJob<String, List<Integer>> job, boolean spills) {
    Map<String, List<Integer>> found = new HashMap<>(job.result());
    found.replaceAll((_, numbers) -> numbers.stream().sorted().toList());
    assertEquals(new TreeSet<>(expected.keySet()), new TreeSet<>(found.keySet()));
    expected.forEach((key, numbers) -> assertEquals(numbers, found.get(key), key));
    assertEquals(spills, job.stats().bytesSpilled() > 0, () -> job.stats().toString());
  }

  @Test
  void combiner_inMemory_getsEachValueOnce() throws Exception {
    try (Grid grid = Grid.start(GridConfig.builder().build())) {
      assertAllOnce(fill(grid).mappedWith(PARSED), false);
    }
  }

  @Test
  void combiner_afterSpilling_getsEachValueOnce() throws Exception {
    try (Grid grid = Grid.start(GridConfig.builder().build())) {
      assertAllOnce(fill(grid).mappedWith(PARSED), true);
    }
  }

  @Test
  void combiner_ofTextsInTheCache_getsEachValueOnce() throws Exception {
    // The text follows the type and the length, a byte each.
    BytesMapper<String, List<Integer>> bytes =
        (_, value, out) -> {
          int number = 0;
          int at = value.position() + 2;
          for (; value.get(at) != ' '; at++) {
            number = 10 * number + value.get(at) - '0';
          }
          out.emitText(value, at + 1, value.limit() - at - 1, listOf(number));
        };
    try (Grid grid = Grid.start(GridConfig.builder().build())) {
      assertAllOnce(fill(grid).mappedByBytesWith(bytes), false);
    }
  }

  @Test
  void combiner_onSeveralNodes_getsEachValueOnce() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(3)) {
      for (int i = 1; i < 3; i++) {
        nodes.node(i).cache("c", CACHE);
      }
      MapReduceTask<String, List<Integer>> task = fill(nodes.node(0)).mappedWith(PARSED);
      assertAllOnce(task, false);
      assertAllOnce(task, true);
    }
  }
}
