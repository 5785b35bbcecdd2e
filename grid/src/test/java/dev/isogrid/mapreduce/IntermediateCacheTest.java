package dev.isogrid.mapreduce;

import static dev.isogrid.mapreduce.WordCount.SUM;
import static dev.isogrid.mapreduce.WordCount.WORDS;
import static dev.isogrid.mapreduce.WordCount.awaitMapped;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
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
import dev.isogrid.api.Mapper;
import dev.isogrid.api.Reducer;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.WhenFull;
import dev.isogrid.base.Seeds;
import dev.isogrid.node.Node;
import dev.isogrid.testkit.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Map/reduce on one node, with pairs in a cache that the user chose. */
class IntermediateCacheTest {
  private final Grid grid = Grid.start();
  private Map<String, Long> expected = Map.of();
  private Cache<Integer, String> texts = grid.cache("unused");

  @BeforeEach
  void begin() {
    texts = grid.cache("texts", CacheConfig.builder().segments(16).build());
  }

  @AfterEach
  void close() throws Exception {
    grid.close();
    TaskLeftovers.assertNone();
  }

  private static CacheConfig.Builder bytes() {
    return CacheConfig.builder().storage(StorageType.HEAP_BINARY);
  }

  private void fill(long seed, int entries, int distinct) {
    Random random = new Random(seed);
    texts.clear();
    expected =
        WordCount.fill(
            texts, entries, () -> WordCount.text(random, 1 + random.nextInt(100), distinct));
  }

  /** Counts words with one pair per word, so that many parts are put. */
  private MapReduceTask<String, Long> task(String cache) {
    return grid.mapReduce(texts)
        .mappedWith(WORDS)
        .reducedWith(SUM)
        .usingSharedIntermediateCache(cache);
  }

  @Test
  void result_ofRandomJobs_isThatOfALoop() {
    for (StorageType storage : List.of(StorageType.HEAP_BINARY, StorageType.OFF_HEAP)) {
      CacheConfig config = CacheConfig.builder().storage(storage).statistics(true).build();
      Cache<String, String> pairs = grid.cache("p-" + storage, config);
      pairs.put("a", "b");
      Seeds.run(
          10,
          random -> {
            fill(random.nextLong(), random.nextInt(2000), 1 + random.nextInt(20_000));
            MapReduceTask<String, Long> task =
                grid.mapReduce(texts).mappedWith(WORDS).usingSharedIntermediateCache(pairs.name());
            assertEquals(pairs.name(), task.intermediateCache());
            int mode = random.nextInt(3);
            task = mode != 0 ? task.combinedWith(Long::sum) : task;
            task = mode != 1 ? task.reducedWith(SUM) : task;
            task = random.nextBoolean() ? task.memoryMax(64 << 10) : task;
            long stores = pairs.stats().stores();
            assertEquals(expected, task.execute());
            assertTrue(expected.isEmpty() || pairs.stats().stores() > stores);
            assertEquals(Map.of("a", "b"), new HashMap<>(pairs));
          });
    }
  }

  @Test
  void pairs_areInTheCache_untilTheTaskEnds() throws Exception {
    fill(1, 3000, 5000);
    Cache<Object, Object> pairs = grid.cache("pairs", bytes().build());
    AtomicInteger heard = new AtomicInteger();
    pairs.addListener(_ -> heard.incrementAndGet());
    MapReduceJob<String, Long> job = task("pairs").start();
    awaitMapped(job);
    long bytes = 0;
    for (Map.Entry<Object, Object> each : pairs.entrySet()) {
      assertEquals(byte[].class, each.getKey().getClass());
      bytes += ((byte[]) each.getValue()).length;
    }
    assertEquals(job.stats().bytesSent(), bytes);
    assertEquals(expected, job.result());
    assertEquals(0, pairs.size());
    assertEquals(0, heard.get());
  }

  @Test
  void manyParts_areMergedByAndBy_andLargeOnesRead() {
    Cache<Integer, byte[]> input = grid.cache("bytes", bytes().build());
    Random random = new Random(5);
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      byte[] value = new byte[i == 7 ? 3_000_000 : random.nextInt(100_000)];
      random.nextBytes(value);
      values.add(value);
      input.put(i, value);
    }
    grid.cache("pairs", CacheConfig.builder().storage(StorageType.OFF_HEAP).build());
    Mapper<Integer, byte[], Integer, byte[]> same = (key, value, out) -> out.emit(key, value);
    Reducer<Integer, byte[]> first = (key, found) -> found.next();
    for (long memoryMax : new long[] {0, 1 << 16}) {
      MapReduceTask<Integer, byte[]> task =
          grid.mapReduce(input)
              .mappedWith(same)
              .usingSharedIntermediateCache("pairs")
              .memoryMax(memoryMax);
      for (MapReduceTask<Integer, byte[]> each :
          List.of(task.reducedWith(first), task.combinedWith((left, _) -> left))) {
        MapReduceJob<Integer, byte[]> job = each.start();
        Map<Integer, byte[]> result = job.result();
        assertEquals(400, result.size());
        result.forEach((key, value) -> assertArrayEquals(values.get(key), value));
        assertTrue(memoryMax == 0 || job.stats().bytesSpilled() > 0, () -> job.stats().toString());
      }
    }
    assertEquals(0, grid.cache("pairs").size());
  }

  @Test
  void unfitCaches_areRefused_withWhatToDo() {
    fill(1, 10, 10);
    grid.cache("objects");
    grid.cache("evicting", bytes().maxCount(1000).build());
    grid.cache("expiring", bytes().lifespan(1, TimeUnit.HOURS).build());
    grid.cache("idling", bytes().maxIdle(1, TimeUnit.HOURS).build());
    grid.cache("invalidating", bytes().mode(CacheMode.INVALIDATION_SYNC).build());
    Map<String, String> refused =
        Map.of(
            "none", "create it first",
            "texts", "choose another",
            "objects", "heap-binary",
            "evicting", "when-full=EXCEPTION",
            "expiring", "lifespan",
            "idling", "max-idle",
            "invalidating", "distributed");
    refused.forEach((cache, hint) -> {
      InvalidRequestException refusal =
          assertThrows(InvalidRequestException.class, task(cache)::start, cache);
      String message = String.valueOf(refusal.getMessage());
      assertTrue(message.contains("cache=" + cache) && message.contains(hint), message);
    });
    assertEquals(List.of(), ((Node) grid).mapReduceReports());
    grid.cache("bounded", bytes().maxCount(1000).whenFull(WhenFull.EXCEPTION).build());
    assertEquals(expected, task("bounded").execute());
  }

  @Test
  void fullCache_failsTheTask_andIsNamed() {
    fill(2, 3000, 5000);
    Cache<String, String> pairs =
        grid.cache("pairs", bytes().maxSize(200 << 10).whenFull(WhenFull.EXCEPTION).build());
    pairs.put("a", "b");
    MapReduceException failure = assertThrows(MapReduceException.class, task("pairs")::execute);
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains("intermediate cache is full: cache=pairs"), message);
    assertTrue(message.contains("node=") && message.contains("max-size"), message);
    assertEquals(Map.of("a", "b"), new HashMap<>(pairs));
  }

  @Test
  void removedPairs_failTheTask() throws Exception {
    fill(3, 3000, 5000);
    Cache<Object, Object> pairs = grid.cache("pairs", bytes().build());
    for (MapReduceTask<String, Long> task :
        List.of(
            task("pairs"),
            grid.mapReduce(texts)
                .mappedWith(WORDS)
                .combinedWith(Long::sum)
                .usingSharedIntermediateCache("pairs"))) {
      MapReduceJob<String, Long> job = task.start();
      awaitMapped(job);
      Object one = pairs.keySet().iterator().next();
      pairs.remove(one);
      MapReduceException failure = assertThrows(MapReduceException.class, job::result);
      String message = String.valueOf(failure.getMessage());
      assertTrue(message.contains("gone from the intermediate cache: cache=pairs"), message);
      assertEquals(0, pairs.size());
    }
  }

  @Test
  void failedCancelledAndLateTasks_leaveNoEntry() throws Exception {
    fill(4, 2000, 5000);
    Cache<Object, Object> pairs = grid.cache("pairs", bytes().build());
    pairs.put("a", "b");
    for (String fault : List.of("mapper", "reducer", "late", "cancelled", "unwanted")) {
      AtomicLong mapped = new AtomicLong();
      Mapper<Object, String, String, Long> mapper =
          (key, text, out) -> {
            WORDS.map(key, text, out);
            boolean isHalf = mapped.incrementAndGet() == 1500;
            if (isHalf && fault.equals("mapper")) {
              throw new IOException("asked to fail");
            }
            if (isHalf && !fault.equals("reducer") && !fault.equals("unwanted")) {
              new CountDownLatch(1).await();
            }
          };
      MapReduceTask<String, Long> task =
          grid.mapReduce(texts)
              .mappedWith(mapper)
              .reducedWith(fault.equals("reducer") ? IntermediateCacheTest::fail : SUM)
              .memoryMax(64 << 10)
              .usingSharedIntermediateCache("pairs");
      MapReduceJob<String, Long> job =
          fault.equals("late") ? task.timeout(1, TimeUnit.SECONDS).start() : task.start();
      if (fault.equals("cancelled")) {
        Await.until("some", () -> pairs.size() > 1);
        job.cancel();
      } else if (fault.equals("unwanted")) {
        awaitMapped(job);
        assertTrue(pairs.size() > 1);
        job.cancel();
      }
      assertThrows(MapReduceException.class, job::result, fault);
      assertEquals(1, pairs.size(), fault);
      assertEquals("b", pairs.get("a"));
    }
  }

  private static long fail(String key, Object values) throws IOException {
    throw new IOException("asked to fail");
  }

  @Test
  void twoTasks_shareACache() {
    fill(5, 3000, 5000);
    Cache<Object, Object> pairs = grid.cache("pairs", bytes().build());
    MapReduceJob<String, Long> one = task("pairs").start();
    MapReduceJob<Boolean, Long> other =
        grid.mapReduce(texts)
            .countBy((key, _) -> key % 2 == 0)
            .usingSharedIntermediateCache("pairs")
            .start();
    assertEquals(Map.of(true, 1500L, false, 1500L), other.result());
    assertEquals(expected, one.result());
    assertEquals(0, pairs.size());
  }
}
