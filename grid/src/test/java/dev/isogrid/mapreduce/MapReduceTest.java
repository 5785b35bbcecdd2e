package dev.isogrid.mapreduce;

import static dev.isogrid.mapreduce.WordCount.SUM;
import static dev.isogrid.mapreduce.WordCount.WORDS;
import static dev.isogrid.mapreduce.WordCount.fill;
import static dev.isogrid.mapreduce.WordCount.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.BytesMapper;
import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Collator;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.Grid;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.LongCombiner;
import dev.isogrid.api.MapReduceException;
import dev.isogrid.api.MapReduceInput;
import dev.isogrid.api.MapReduceJob;
import dev.isogrid.api.MapReduceStats;
import dev.isogrid.api.MapReduceTask;
import dev.isogrid.api.Mapper;
import dev.isogrid.api.Reducer;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Seeds;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Map/reduce on one node. */
class MapReduceTest {
  private static final List<StorageType> STORAGES = List.of(StorageType.values());

  private final Grid grid = Grid.start();

  @AfterEach
  void close() throws Exception {
    grid.close();
    TaskLeftovers.assertNone();
  }

  private <K, V> Cache<K, V> cache(StorageType storage) {
    return grid.cache("c-" + storage, CacheConfig.builder().storage(storage).segments(16).build());
  }

  @Test
  void result_ofRandomJobs_isThatOfALoop() {
    Seeds.run(
        12,
        random -> {
          StorageType storage = STORAGES.get(random.nextInt(STORAGES.size()));
          Cache<Integer, String> cache = cache(storage);
          cache.clear();
          int entries = random.nextInt(500);
          int distinct = 1 + random.nextInt(3000);
          Map<String, Long> expected =
              fill(cache, entries, () -> text(random, 1 + random.nextInt(60), distinct));
          MapReduceTask<String, Long> task = grid.mapReduce(cache).mappedWith(WORDS);
          int mode = random.nextInt(3);
          task = mode != 0 ? task.combinedWith(Long::sum) : task;
          task = mode != 1 ? task.reducedWith(SUM) : task;
          task = random.nextBoolean() ? task.reducedHere() : task;
          task = random.nextBoolean() ? task.memoryMax(64 << 10) : task;
          MapReduceJob<String, Long> job = task.start();
          Map<String, Long> result = new HashMap<>();
          if (random.nextBoolean()) {
            result = job.result();
          } else {
            job.forEach(result::put);
          }
          assertEquals(expected, result);
          MapReduceStats stats = job.stats();
          assertEquals(entries, stats.entries());
          assertEquals(expected.size(), stats.distinctKeys());
          assertEquals(WordCount.total(expected), stats.pairsEmitted());
          assertEquals(16, stats.segmentsDone());
        });
  }

  @Test
  void spilledPairs_areAllThere_andTheirFilesGone() throws Exception {
    Cache<Integer, String> cache = cache(StorageType.HEAP_BINARY);
    Random random = new Random(1);
    Map<String, Long> expected = fill(cache, 3000, () -> text(random, 100, 50_000));
    List<MapReduceStats> told = new ArrayList<>();
    MapReduceJob<String, Long> job =
        grid.mapReduce(cache)
            .mappedWith(WORDS)
            .reducedWith(SUM)
            .memoryMax(1 << 20)
            .onProgress(told::add)
            .start();
    assertEquals(expected, job.result());
    MapReduceStats stats = job.stats();
    assertTrue(stats.bytesSpilled() > 1 << 20, () -> "spilled: " + stats);
    assertEquals(stats, told.getLast());
    assertEquals(List.of(), TaskLeftovers.files());
  }

  @Test
  void input_canBeKeysSegmentsOrWhatAFilterLikes() {
    Cache<Integer, String> cache = cache(StorageType.OFF_HEAP);
    for (int i = 0; i < 1000; i++) {
      cache.put(i, "v" + i % 7);
    }
    Map<String, Long> some =
        grid.mapReduce(cache).onKeys(List.of(1, 2, 9, 5000)).countBy((_, v) -> v).execute();
    assertEquals(Map.of("v1", 1L, "v2", 2L), some);
    assertEquals(
        Map.of(), grid.mapReduce(cache).onKeys(List.<Integer>of()).countBy((_, v) -> v).execute());
    long inSegments = 0;
    for (int segment = 0; segment < 16; segment += 4) {
      List<Integer> four = List.of(segment, segment + 1, segment + 2, segment + 3);
      inSegments +=
          grid.mapReduce(cache)
              .onSegments(four)
              .countBy((_, _) -> "all")
              .execute()
              .getOrDefault("all", 0L);
    }
    assertEquals(1000, inSegments);
    Map<Boolean, Long> filtered =
        grid.mapReduce(cache).filteredBy((k, _) -> k < 10).countBy((k, _) -> k < 5).execute();
    assertEquals(Map.of(true, 5L, false, 5L), filtered);
    assertThrows(
        InvalidRequestException.class,
        () -> grid.mapReduce(cache).onSegments(List.of(16)).countBy((_, _) -> 1).execute());
  }

  @Test
  void results_canBeCollatedGroupedAndStored() {
    Cache<Integer, String> cache = cache(StorageType.HEAP_OBJECT);
    for (int i = 0; i < 100; i++) {
      cache.put(i, "v" + i % 4);
    }
    assertEquals(
        List.of(Map.entry("v3", 75L)),
        grid.mapReduce(cache)
            .sumBy((_, v) -> v, (_, v) -> v.charAt(1) - '0' + 0L)
            .execute(Collator.top(1)));
    Map<String, Object[]> groups = grid.mapReduce(cache).groupBy((_, v) -> v).execute();
    Object[] group = groups.get("v1");
    assertNotNull(group);
    Set<Object> keys = new HashSet<>(List.of(group));
    assertEquals(25, keys.size());
    assertTrue(keys.contains(5));
    Cache<String, Long> target = grid.cache("target");
    grid.mapReduce(cache).countBy((_, v) -> v).executeInto(target);
    assertEquals(Map.of("v0", 25L, "v1", 25L, "v2", 25L, "v3", 25L), new TreeMap<>(target));
  }

  @Test
  void bytesMapper_readsTheBytesInPlace() {
    for (StorageType storage : List.of(StorageType.HEAP_BINARY, StorageType.OFF_HEAP)) {
      Cache<Integer, byte[]> cache = cache(storage);
      for (int i = 0; i < 100; i++) {
        cache.put(i, new byte[i == 0 ? 300_000 : i]);
      }
      Map<String, Long> zeros =
          grid.mapReduce(cache)
              .<String, Long>mappedByBytesWith((_, value, out) -> {
                long count = 0;
                for (int at = 0; at < value.limit(); at++) {
                  count += value.get(at) == 0 ? 1 : 0;
                }
                out.emit("zeros", count);
              })
              .combinedWith(Long::sum)
              .execute();
      assertTrue(zeros.getOrDefault("zeros", 0L) >= 300_000 + 99 * 50);
    }
    assertThrows(
        InvalidRequestException.class,
        () ->
            grid.mapReduce(cache(StorageType.HEAP_OBJECT))
                .<String, Long>mappedByBytesWith((_, _, _) -> {})
                .combinedWith(Long::sum)
                .execute());
  }

  @Test
  void emitText_countsAsStringsDo_whereverTheBytesAre() {
    BytesMapper<String, Long> wordsOfBytes = WordCount::emitWords;
    for (StorageType storage : List.of(StorageType.HEAP_BINARY, StorageType.OFF_HEAP)) {
      Cache<Integer, String> cache = cache(storage);
      Random random = new Random(7);
      for (int i = 0; i < 400; i++) {
        cache.put(i, text(random, 1 + random.nextInt(200), 30_000) + " \u00fc " + "x".repeat(i));
      }
      MapReduceInput<Integer, String> input = grid.mapReduce(cache);
      Map<String, Long> expected = input.mappedWith(WORDS).combinedWith(Long::sum).execute();
      MapReduceTask<String, Long> task = input.mappedByBytesWith(wordsOfBytes);
      assertEquals(expected, task.combinedWith(LongCombiner.SUM).execute());
      assertEquals(expected, task.combinedWith(Long::sum).execute());
      assertEquals(expected, task.reducedWith(SUM).execute());
      assertEquals(expected, task.combinedWith(LongCombiner.SUM).memoryMax(1 << 16).execute());
    }
  }

  @Test
  void equalKeys_ofDifferentBytes_failTheTask() {
    Cache<Integer, byte[]> cache = cache(StorageType.HEAP_BINARY);
    cache.put(1, new byte[] {(byte) 0xFE, (byte) 0xFF});
    BytesMapper<String, Long> noTexts =
        (_, value, out) -> {
          for (int i = 1; i <= 2; i++) {
            out.emitText(value, value.limit() - i, 1, 1L);
          }
        };
    MapReduceException failure =
        assertThrows(
            MapReduceException.class,
            () ->
                grid.mapReduce(cache)
                    .mappedByBytesWith(noTexts)
                    .combinedWith(LongCombiner.SUM)
                    .execute());
    assertTrue(String.valueOf(failure.getMessage()).contains("UTF-8"), failure.getMessage());
  }

  @Test
  void failures_nameTheNodeAndTheKey_andLeaveNothing() {
    Cache<Integer, String> cache = cache(StorageType.HEAP_BINARY);
    for (int i = 0; i < 1000; i++) {
      cache.put(i, "v");
    }
    Mapper<Integer, String, String, Long> failing =
        (key, _, out) -> {
          if (key == 777) {
            throw new IOException("no good");
          }
          out.emit("a", 1L);
        };
    MapReduceException failure =
        assertThrows(
            MapReduceException.class,
            () -> grid.mapReduce(cache).mappedWith(failing).combinedWith(Long::sum).execute());
    assertInstanceOf(IOException.class, failure.getCause());
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains("key=777") && message.contains("node="), message);
    Reducer<String, Long> failingToo =
        (key, values) -> {
          throw new IOException("no better");
        };
    failure =
        assertThrows(
            MapReduceException.class,
            () -> grid.mapReduce(cache).countBy((_, v) -> v).reducedWith(failingToo).execute());
    assertTrue(String.valueOf(failure.getMessage()).contains("key=v"), failure.getMessage());
    Mapper<Integer, String, Object, Long> strange = (_, _, out) -> out.emit(new Object(), 1L);
    failure =
        assertThrows(
            MapReduceException.class,
            () -> grid.mapReduce(cache).mappedWith(strange).combinedWith(Long::sum).execute());
    assertTrue(
        String.valueOf(failure.getMessage()).contains("java.lang.Object"), failure.getMessage());
    assertThrows(
        InvalidRequestException.class, () -> grid.mapReduce(cache).mappedWith(failing).execute());
  }

  @Test
  void cancelAndTimeout_endATaskThatWouldGoOn() throws Exception {
    Cache<Integer, String> cache = cache(StorageType.HEAP_BINARY);
    for (int i = 0; i < 100; i++) {
      cache.put(i, "v");
    }
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    Mapper<Integer, String, String, Long> endless =
        (_, _, _) -> {
          begun.countDown();
          never.await();
        };
    MapReduceTask<String, Long> task =
        grid.mapReduce(cache).mappedWith(endless).combinedWith(Long::sum);
    MapReduceException late =
        assertThrows(MapReduceException.class, task.timeout(200, TimeUnit.MILLISECONDS)::execute);
    assertTrue(String.valueOf(late.getMessage()).contains("too long"), late.getMessage());
    CompletableFuture<Map<String, Long>> future = task.executeAsync();
    begun.await();
    future.cancel(true);
    MapReduceJob<String, Long> job = task.start();
    job.cancel();
    MapReduceException cancelled = assertThrows(MapReduceException.class, job::result);
    assertTrue(
        String.valueOf(cancelled.getMessage()).contains("cancelled"), cancelled.getMessage());
    assertThrows(IllegalStateException.class, job::result);
  }

  @Test
  void timeout_ofAnyPositiveTime_isALimit() {
    MapReduceTask<String, Long> task =
        grid.mapReduce(this.<Integer, String>cache(StorageType.HEAP_BINARY)).countBy((_, v) -> v);
    assertEquals(0, task.timeoutMillis());
    assertEquals(1, task.timeout(1, TimeUnit.NANOSECONDS).timeoutMillis());
    assertEquals(1, task.timeout(Duration.ofNanos(1)).timeoutMillis());
    assertEquals(2000, task.timeout(2, TimeUnit.SECONDS).timeoutMillis());
    assertEquals(Long.MAX_VALUE, task.timeout(Long.MAX_VALUE, TimeUnit.DAYS).timeoutMillis());
    for (long none : new long[] {0, -1, Long.MIN_VALUE}) {
      assertEquals(0, task.timeout(none, TimeUnit.MICROSECONDS).timeoutMillis());
      assertEquals(0, task.timeout(Duration.ofSeconds(none)).timeoutMillis());
    }
  }

  @Test
  @SuppressWarnings("NullAway") // what functions without the checker do
  void nullOfAFunction_failsTheTask_andLosesNoValue() {
    Cache<Integer, String> cache = cache(StorageType.HEAP_BINARY);
    for (int i = 0; i < 100; i++) {
      cache.put(i, "v");
    }
    MapReduceInput<Integer, String> input = grid.mapReduce(cache);
    Mapper<Integer, String, String, Long> ones = (_, value, out) -> out.emit(value, 1L);
    Mapper<Integer, String, String, Long> nullKeys = (_, _, out) -> out.emit(null, 1L);
    Mapper<Integer, String, String, Long> nullValues = (_, value, out) -> out.emit(value, null);
    Reducer<String, Long> nothing = (_, _) -> null;
    assertFails(input.mappedWith(ones).combinedWith((_, _) -> null), "a combiner gave null");
    assertFails(input.mappedWith(ones).reducedWith(nothing), "reducer failed: key=v");
    assertFails(input.mappedWith(ones).reducedWith(nothing), "a reducer gave null");
    for (Mapper<Integer, String, String, Long> mapper : List.of(nullKeys, nullValues)) {
      assertFails(input.mappedWith(mapper).combinedWith(Long::sum), "a mapper emitted null");
      assertFails(input.mappedWith(mapper).reducedWith(SUM), "a mapper emitted null");
    }
    BytesMapper<String, Long> nullOfText = (_, value, out) -> out.emitText(value, 0, 1, null);
    assertFails(input.mappedByBytesWith(nullOfText).combinedWith(Long::sum), "emitted null");
  }

  private static void assertFails(MapReduceTask<String, Long> task, String part) {
    MapReduceException failure = assertThrows(MapReduceException.class, task::execute);
    assertTrue(String.valueOf(failure.getMessage()).contains(part), failure.getMessage());
  }

  @Test
  void cacheOfAnotherGrid_orThatWasRemoved_isRefused() {
    Cache<Integer, String> mine = grid.cache("same");
    mine.put(1, "mine");
    try (Grid other = Grid.start()) {
      Cache<Integer, String> foreign = other.cache("same");
      InvalidRequestException refusal =
          assertThrows(InvalidRequestException.class, () -> grid.mapReduce(foreign));
      assertTrue(String.valueOf(refusal.getMessage()).contains("cache=same"), refusal.getMessage());
    }
    MapReduceTask<String, Long> task = grid.mapReduce(mine).countBy((_, v) -> v);
    assertEquals(Map.of("mine", 1L), task.execute());
    grid.removeCache("same");
    assertThrows(FatalGridException.class, () -> grid.mapReduce(mine));
    assertThrows(FatalGridException.class, task::start);
    grid.<Integer, String>cache("same").put(1, "another");
    assertThrows(FatalGridException.class, task::start);
  }

  @Test
  void valuesOfOneKey_needNotFitIntoMemoryTogether() {
    Cache<Integer, String> cache = cache(StorageType.HEAP_BINARY);
    for (int i = 0; i < 200; i++) {
      cache.put(i, "v");
    }
    Mapper<Integer, String, String, Long> many =
        (_, _, out) -> {
          for (long i = 0; i < 1000; i++) {
            out.emit("one", i);
          }
        };
    Reducer<String, Long> count = MapReduceTest::count;
    assertEquals(
        Map.of("one", 200_000L),
        grid.mapReduce(cache).mappedWith(many).reducedWith(count).memoryMax(1 << 16).execute());
  }

  private static long count(String key, Iterator<Long> values) {
    long count = 0;
    while (values.hasNext()) {
      assertTrue(values.next() < 1000, key);
      count++;
    }
    return count;
  }
}
