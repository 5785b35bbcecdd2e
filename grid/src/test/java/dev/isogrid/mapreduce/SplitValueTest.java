package dev.isogrid.mapreduce;

import static dev.isogrid.mapreduce.WordCount.SUM;
import static dev.isogrid.mapreduce.WordCount.WORDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.BytesMapper;
import dev.isogrid.api.BytesSplitter;
import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.LongCombiner;
import dev.isogrid.api.MapReduceException;
import dev.isogrid.api.MapReduceInput;
import dev.isogrid.api.MapReduceJob;
import dev.isogrid.api.MapReduceStats;
import dev.isogrid.api.MapReduceTask;
import dev.isogrid.api.Mapper;
import dev.isogrid.api.Splitter;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Large values, which threads of a node share if their mapper can cut them. */
class SplitValueTest {
  private static final int LARGE = 1 << 20;
  private static final List<StorageType> STORAGES = List.of(StorageType.values());

  /** Cuts after a space. */
  private static final BytesSplitter BEHIND_SPACE =
      (value, from) -> {
        int at = from;
        while (at < value.limit() && value.get(at - 1) != ' ') {
          at++;
        }
        return at;
      };

  private static final BytesMapper<String, Long> WORDS_OF_BYTES = WordCount::emitWords;

  private final Grid grid = Grid.start();

  @AfterEach
  void close() throws Exception {
    grid.close();
    TaskLeftovers.assertNone();
  }

  private <K, V> Cache<K, V> cache(StorageType storage) {
    return grid.cache("c-" + storage, CacheConfig.builder().storage(storage).segments(16).build());
  }

  /** Cuts a text before spaces, which stay with the following parts. */
  static List<String> cut(String text, int partsMax) {
    List<String> parts = new ArrayList<>();
    int begin = 0;
    for (int part = 1; part < partsMax && begin < text.length(); part++) {
      int space = text.indexOf(' ', begin + text.length() / partsMax);
      if (space < 0) {
        break;
      }
      parts.add(text.substring(begin, space));
      begin = space + 1;
    }
    parts.add(text.substring(begin));
    return parts;
  }

  /** A small text, or a large one. */
  private static String text(Random random) {
    int words = random.nextBoolean() ? 1 + random.nextInt(50) : 300_000;
    return WordCount.text(random, words, 1 + random.nextInt(3000));
  }

  @Test
  void result_ofLargeAndSmallValues_isThatOfALoop() {
    Seeds.run(
        8,
        random -> {
          StorageType storage = STORAGES.get(random.nextInt(STORAGES.size()));
          Cache<Integer, String> cache = cache(storage);
          cache.clear();
          int entries = 1 + random.nextInt(6);
          Map<String, Long> expected = WordCount.fill(cache, entries, () -> text(random));
          MapReduceInput<Integer, String> input = grid.mapReduce(cache);
          input = random.nextInt(3) == 0 ? input.onKeys(cache.keySet()) : input;
          boolean byBytes = storage != StorageType.HEAP_OBJECT && random.nextBoolean();
          MapReduceTask<String, Long> task =
              byBytes
                  ? input.mappedByBytesWith(BytesMapper.splitting(WORDS_OF_BYTES, BEHIND_SPACE))
                  : input.mappedWith(Mapper.splitting(WORDS::map, SplitValueTest::cut));
          task = random.nextBoolean() ? task.combinedWith(LongCombiner.SUM) : task.reducedWith(SUM);
          task = random.nextBoolean() ? task.memoryMax(64 << 10) : task;
          MapReduceJob<String, Long> job = task.start();
          assertEquals(expected, job.result());
          MapReduceStats stats = job.stats();
          assertEquals(entries, stats.entries());
          assertEquals(WordCount.total(expected), stats.pairsEmitted());
        });
  }

  /** The times at which parts were mapped; a thread that maps one waits for another thread's. */
  private static final class Meeting {
    private final CountDownLatch both = new CountDownLatch(2);
    private final AtomicInteger calls = new AtomicInteger();

    /** Makes the first two calls wait for each other; returns whether they met. */
    boolean come() throws InterruptedException {
      calls.incrementAndGet();
      both.countDown();
      return both.await(120, TimeUnit.SECONDS);
    }
  }

  private static void assumeSeveralWorkers() {
    Assumptions.assumeTrue(
        Runtime.getRuntime().availableProcessors() > 1, "one processor has nobody to share with");
  }

  @Test
  void partsOfOneValue_areMappedByThreadsAtATime() {
    assumeSeveralWorkers();
    for (StorageType storage : List.of(StorageType.HEAP_BINARY, StorageType.OFF_HEAP)) {
      Cache<Integer, byte[]> cache = cache(storage);
      cache.put(1, new byte[LARGE]);
      BytesMapper<Boolean, Long> whole =
          (_, value, out) -> out.emit(true, (long) value.remaining());
      Meeting meeting = new Meeting();
      BytesMapper<Boolean, Long> together =
          (_, value, out) -> out.emit(meeting.come(), (long) value.remaining());
      assertEquals(
          grid.mapReduce(cache).mappedByBytesWith(whole).combinedWith(LongCombiner.SUM).execute(),
          grid.mapReduce(cache)
              .mappedByBytesWith(BytesMapper.splitting(together, (_, from) -> from))
              .combinedWith(LongCombiner.SUM)
              .execute());
      assertTrue(meeting.calls.get() > 2, () -> "parts: " + meeting.calls);
    }
  }

  @Test
  void partsOfOneObject_areMappedByThreadsAtATime() {
    assumeSeveralWorkers();
    Cache<Integer, Object> cache = cache(StorageType.HEAP_OBJECT);
    Splitter<Object> halves = (value, _) -> List.of(value, value);
    for (Object large :
        List.of(
            "x".repeat(LARGE),
            new byte[LARGE],
            new long[LARGE / 8],
            new Object[LARGE / 16],
            Collections.nCopies(LARGE / 16, "x"))) {
      cache.put(1, large);
      Meeting meeting = new Meeting();
      Mapper<Integer, Object, Boolean, Long> together = (_, _, out) -> out.emit(meeting.come(), 1L);
      assertEquals(
          Map.of(true, 2L),
          grid.mapReduce(cache)
              .mappedWith(Mapper.splitting(together, halves))
              .combinedWith(Long::sum)
              .execute());
    }
  }

  /** A key that is not in the segment of the key 0. */
  private int keyOfAnotherSegment(Cache<Integer, byte[]> cache) {
    for (int key = 1; ; key++) {
      MapReduceJob<Integer, Long> job =
          grid.mapReduce(cache).onKeys(List.of(0, key)).countBy((each, _) -> each).start();
      assertEquals(Map.of(), job.result());
      if (job.stats().segmentsTotal() == 2) {
        return key;
      }
    }
  }

  @Test
  void threadThatIsDoneLater_joins() {
    assumeSeveralWorkers();
    Cache<Integer, byte[]> cache = cache(StorageType.HEAP_BINARY);
    int small = keyOfAnotherSegment(cache);
    cache.put(0, new byte[LARGE]);
    cache.put(small, new byte[1]);
    Meeting meeting = new Meeting();
    CountDownLatch begun = new CountDownLatch(1);
    BytesMapper<Boolean, Long> mapper =
        (_, value, out) -> {
          if (value.capacity() < LARGE) {
            out.emit(begun.await(120, TimeUnit.SECONDS), 1L);
          } else {
            begun.countDown();
            out.emit(meeting.come(), 0L);
          }
        };
    assertEquals(
        Map.of(true, 1L),
        grid.mapReduce(cache)
            .onKeys(List.of(0, small))
            .mappedByBytesWith(BytesMapper.splitting(mapper, (_, from) -> from))
            .combinedWith(LongCombiner.SUM)
            .execute());
  }

  @Test
  void mapperThatSaysNothing_getsValuesWhole() {
    Cache<Integer, byte[]> cache = cache(StorageType.HEAP_BINARY);
    for (int key = 0; key < 4; key++) {
      cache.put(key, new byte[4 * LARGE]);
    }
    BytesMapper<String, Long> ofBytes =
        (_, value, out) ->
            out.emit(value.position() == 0 && value.remaining() > LARGE ? "all" : "part", 1L);
    Mapper<Integer, byte[], String, Long> ofObjects =
        (_, value, out) -> out.emit(value.length == 4 * LARGE ? "all" : "part", 1L);
    MapReduceInput<Integer, byte[]> input = grid.mapReduce(cache);
    assertEquals(
        Map.of("all", 4L),
        input.mappedByBytesWith(ofBytes).combinedWith(LongCombiner.SUM).execute());
    assertEquals(
        Map.of("all", 4L), input.mappedWith(ofObjects).combinedWith(LongCombiner.SUM).execute());
  }

  @Test
  void smallValue_isNotCut() {
    Cache<Integer, byte[]> cache = cache(StorageType.HEAP_BINARY);
    cache.put(1, new byte[LARGE - 100]);
    BytesMapper<String, Long> mapper = (_, _, out) -> out.emit("calls", 1L);
    BytesSplitter never =
        (_, _) -> {
          throw new IllegalStateException("asked about a small value");
        };
    assertEquals(
        Map.of("calls", 1L),
        grid.mapReduce(cache)
            .mappedByBytesWith(BytesMapper.splitting(mapper, never))
            .combinedWith(LongCombiner.SUM)
            .execute());
  }

  /** Maps a large value whose owner and whose helpers do different things. */
  private MapReduceTask<String, Long> roles(Role owner, Role helper) {
    Cache<Integer, byte[]> cache = cache(StorageType.HEAP_BINARY);
    cache.put(1, new byte[LARGE]);
    AtomicReference<Thread> owning = new AtomicReference<>();
    BytesSplitter splitter =
        (_, from) -> {
          owning.set(Thread.currentThread());
          return from;
        };
    BytesMapper<String, Long> mapper =
        (_, _, _) -> (Thread.currentThread().equals(owning.get()) ? owner : helper).play();
    return grid.mapReduce(cache)
        .mappedByBytesWith(BytesMapper.splitting(mapper, splitter))
        .combinedWith(LongCombiner.SUM);
  }

  /** The work of a thread on a part. */
  private interface Role {
    void play() throws Exception;
  }

  @Test
  void failureOfOneThread_endsTheOthers() {
    assumeSeveralWorkers();
    for (boolean ownerFails : new boolean[] {false, true}) {
      CountDownLatch waiting = new CountDownLatch(1);
      Role endless =
          () -> {
            waiting.countDown();
            new CountDownLatch(1).await();
          };
      Role failing =
          () -> {
            waiting.await();
            throw new IOException("no good");
          };
      MapReduceTask<String, Long> task =
          ownerFails ? roles(failing, endless) : roles(endless, failing);
      MapReduceException failure = assertThrows(MapReduceException.class, task::execute);
      assertInstanceOf(IOException.class, failure.getCause());
      String message = String.valueOf(failure.getMessage());
      assertTrue(message.contains("key=of 2 bytes") && message.contains("node="), message);
    }
  }

  @Test
  void failureOfAHelperThatIsLate_isNotLost() {
    assumeSeveralWorkers();
    CountDownLatch joined = new CountDownLatch(1);
    Role failing =
        () -> {
          joined.countDown();
          throw new IOException("no good");
        };
    MapReduceException failure =
        assertThrows(MapReduceException.class, roles(joined::await, failing)::execute);
    assertInstanceOf(IOException.class, failure.getCause());
  }

  @Test
  void cancel_endsAllThreadsOfAValue() throws Exception {
    assumeSeveralWorkers();
    CountDownLatch waiting = new CountDownLatch(2);
    Role endless =
        () -> {
          waiting.countDown();
          new CountDownLatch(1).await();
        };
    MapReduceJob<String, Long> job = roles(endless, endless).start();
    assertTrue(waiting.await(120, TimeUnit.SECONDS));
    job.cancel();
    MapReduceException cancelled = assertThrows(MapReduceException.class, job::result);
    assertTrue(
        String.valueOf(cancelled.getMessage()).contains("cancelled"), cancelled.getMessage());
  }

  @Test
  @SuppressWarnings("NullAway") // what must not be is what is tried
  void splitterThatBreaksItsPromise_failsTheTask() {
    assumeSeveralWorkers();
    Cache<Integer, byte[]> bytes = cache(StorageType.HEAP_BINARY);
    bytes.put(1, new byte[LARGE]);
    Map<BytesSplitter, String> wrongPoints =
        Map.of(
            (_, from) -> from - 1, "split point out of range",
            (value, _) -> value.limit() + 1, "split point out of range",
            (value, _) -> value.get(value.limit()), "IndexOutOfBounds");
    BytesMapper<String, Long> ofBytes = (_, _, out) -> out.emit("a", 1L);
    wrongPoints.forEach((splitter, text) ->
        assertFails(
            grid.mapReduce(bytes).mappedByBytesWith(BytesMapper.splitting(ofBytes, splitter)),
            text));
    Map<Splitter<byte[]>, String> wrongParts =
        Map.of(
            (_, _) -> null, "parts=null",
            (_, _) -> List.of(), "parts=0",
            (value, max) -> Collections.nCopies(max + 1, value), "wrong number of parts",
            (value, _) -> Arrays.asList(value, null), "part=1 of 2");
    Mapper<Integer, byte[], String, Long> ofObjects = (_, _, out) -> out.emit("a", 1L);
    wrongParts.forEach((splitter, text) ->
        assertFails(grid.mapReduce(bytes).mappedWith(Mapper.splitting(ofObjects, splitter)), text));
  }

  private static void assertFails(MapReduceTask<String, Long> task, String text) {
    MapReduceException failure =
        assertThrows(MapReduceException.class, task.combinedWith(LongCombiner.SUM)::execute);
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains("splitter failed: key=") && message.contains(text), message);
  }
}
