package dev.isogrid.mapreduce;

import static dev.isogrid.mapreduce.WordCount.SUM;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Collector;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.MapReduceException;
import dev.isogrid.api.MapReduceInput;
import dev.isogrid.api.MapReduceJob;
import dev.isogrid.api.MapReduceNodeStats;
import dev.isogrid.api.MapReduceStats;
import dev.isogrid.api.MapReduceTask;
import dev.isogrid.api.Mapper;
import dev.isogrid.api.Reducer;
import dev.isogrid.node.EmbeddedNodes;
import dev.isogrid.testkit.Await;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Map/reduce on nodes that share a cache over TCP, while nodes join and fail. */
class ClusterMapReduceTest {
  private static final int ENTRIES = 2000;

  private @Nullable EmbeddedNodes started;
  private Map<String, Long> expected = Map.of();

  @AfterEach
  void close() throws Exception {
    if (started != null) {
      started.close();
    }
    GatedWords.close();
    TaskLeftovers.assertNone();
  }

  /** Starts nodes, and fills a cache on them. */
  private EmbeddedNodes start(int count, int owners) throws Exception {
    EmbeddedNodes nodes = EmbeddedNodes.start(count);
    started = nodes;
    CacheConfig config =
        CacheConfig.builder().mode(CacheMode.DIST_SYNC).owners(owners).segments(32).build();
    Cache<Integer, String> cache = nodes.node(0).cache("c", config);
    Random random = new Random(count);
    expected = WordCount.fill(cache, ENTRIES, () -> WordCount.text(random, 20, 3000));
    return nodes;
  }

  /** The input of the first node. */
  private static MapReduceInput<Integer, String> input(EmbeddedNodes nodes) {
    return nodes.node(0).mapReduce(nodes.node(0).cache("c"));
  }

  @Test
  void threeNodes_shareTheWork_inAllModes() throws Exception {
    GatedWords.open(GatedWords.ALL);
    MapReduceInput<Integer, String> input = input(start(3, 2));
    MapReduceTask<String, Long> task = input.mappedWith(GatedWords.WORDS);
    for (MapReduceTask<String, Long> each :
        List.of(
            task.combinedWith(Long::sum),
            task.reducedWith(SUM),
            task.combinedWith(Long::sum).reducedWith(SUM).reducedHere(),
            task.reducedWith(SUM).memoryMax(1 << 16))) {
      MapReduceJob<String, Long> job = each.start();
      assertEquals(expected, job.result());
      MapReduceStats stats = job.stats();
      assertEquals(3, stats.nodes().size());
      assertEquals(ENTRIES, stats.entries());
      assertTrue(stats.nodes().stream().allMatch(node -> node.entries() > 0), stats::toString);
      assertEquals(expected.size(), stats.distinctKeys());
    }
    Mapper<Integer, String, String, Long> failing =
        (key, _, _) -> {
          throw new IllegalStateException("never");
        };
    MapReduceTask<String, Long> failingTask = input.mappedWith(failing).combinedWith(Long::sum);
    MapReduceException failure = assertThrows(MapReduceException.class, failingTask::execute);
    assertTrue(String.valueOf(failure.getMessage()).contains("key="), failure.getMessage());
    Object captured = new Object();
    Mapper<Integer, String, String, Long> unserializable =
        (_, _, out) -> out.emit(captured.toString(), 1L);
    MapReduceTask<String, Long> unsendable =
        input.mappedWith(unserializable).combinedWith(Long::sum);
    assertThrows(InvalidRequestException.class, unsendable::start);
  }

  @Test
  void largeValues_areCutOnAllNodes() throws Exception {
    GatedWords.open(GatedWords.ALL);
    EmbeddedNodes nodes = start(2, 2);
    Cache<Integer, String> cache = nodes.node(0).cache("c");
    Random random = new Random(5);
    for (int key = ENTRIES; key < ENTRIES + 6; key++) {
      String text = WordCount.text(random, 300_000, 3000);
      cache.put(key, text);
      WordCount.count(text, expected);
    }
    MapReduceTask<String, Long> task =
        input(nodes).mappedWith(Mapper.splitting(GatedWords.WORDS, SplitValueTest::cut));
    assertEquals(expected, task.combinedWith(Long::sum).execute());
    assertEquals(expected, task.reducedWith(SUM).memoryMax(1 << 20).execute());
    int calls = Runtime.getRuntime().availableProcessors() > 1 ? ENTRIES + 12 : ENTRIES + 6;
    int begun = GatedWords.BEGUN.get();
    assertTrue(begun >= 2 * calls, () -> "calls: " + begun);
  }

  /** A mapper that counts the copies of it that nodes still hold. */
  private record Counted(String fault) implements Mapper<Integer, String, String, Long> {
    static final List<WeakReference<Counted>> COPIES = new CopyOnWriteArrayList<>();

    @SuppressWarnings("unused") // called when a node reads one
    private Object readResolve() {
      Counted copy = new Counted(fault);
      COPIES.add(new WeakReference<>(copy));
      return copy;
    }

    @Override
    public void map(Integer key, String text, Collector<String, Long> out) throws Exception {
      if (fault.equals("mapper") && key == ENTRIES - 1) {
        throw new IllegalStateException("asked to fail");
      }
      if (fault.equals("late") && key == ENTRIES - 1) {
        new CountDownLatch(1).await();
      }
      GatedWords.WORDS.map(key, text, out);
    }
  }

  @Test
  void failedLateAndCancelledTasks_leaveNothingOnAnyNode() throws Exception {
    MapReduceInput<Integer, String> input = input(start(2, 2));
    Reducer<String, Long> failing =
        (_, _) -> {
          throw new IllegalStateException("asked to fail");
        };
    for (String fault : List.of("mapper", "reducer", "late", "cancelled", "unwanted")) {
      MapReduceTask<String, Long> task =
          input
              .mappedWith(new Counted(fault))
              .reducedWith(fault.equals("reducer") ? failing : SUM)
              .memoryMax(1 << 16);
      GatedWords.close();
      GatedWords.open(GatedWords.ALL);
      MapReduceJob<String, Long> job =
          fault.equals("late") ? task.timeout(2, TimeUnit.SECONDS).start() : task.start();
      if (fault.equals("cancelled")) {
        Await.until("some of it", () -> GatedWords.BEGUN.get() > ENTRIES / 10);
        job.cancel();
      } else if (fault.equals("unwanted")) {
        WordCount.awaitMapped(job);
        job.cancel();
      }
      assertThrows(MapReduceException.class, job::result, fault);
      assertNothingHeld(fault);
    }
    assertEquals(expected, input.mappedWith(GatedWords.WORDS).reducedWith(SUM).execute());
    assertNothingHeld("done");
  }

  /** Checks that there are no functions, files and threads of tasks, though the nodes run. */
  private static void assertNothingHeld(String after) throws Exception {
    Await.until( // before garbage is collected, which would close them
        "files to be closed after " + after,
        Duration.ofSeconds(20),
        () -> TaskLeftovers.openFiles().isEmpty());
    Await.until(
        "copies of the mapper to be let go of after " + after,
        () -> {
          System.gc();
          return Counted.COPIES.stream().allMatch(copy -> copy.get() == null);
        });
    TaskLeftovers.assertNone();
  }

  private void changeWhileMapping(boolean hasCombiner, Change change) throws Exception {
    EmbeddedNodes nodes = start(3, 2);
    MapReduceTask<String, Long> task = input(nodes).mappedWith(GatedWords.WORDS).reducedWith(SUM);
    task = hasCombiner ? task.combinedWith(Long::sum) : task;
    GatedWords.open(ENTRIES / 2);
    MapReduceJob<String, Long> job = task.start();
    Await.until("half of it", () -> GatedWords.BEGUN.get() >= ENTRIES / 2);
    change.make(nodes);
    GatedWords.open(GatedWords.ALL);
    assertEquals(expected, job.result());
  }

  /** A change of a cluster. */
  private interface Change {
    void make(EmbeddedNodes nodes) throws Exception;
  }

  @Test
  void nodeThatFails_whileAllMap_changesNoCount() throws Exception {
    changeWhileMapping(true, nodes -> nodes.node(2).close());
  }

  @Test
  void nodeThatJoins_whileAllMap_changesNoCount() throws Exception {
    changeWhileMapping(false, nodes -> nodes.join("joined"));
  }

  /** With much memory for sent pairs, and with so little that they go to disk. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1 << 14})
  void nodesThatFail_afterMapping_costTheirShareOfMapping(long memoryMaxBytes) throws Exception {
    GatedWords.open(GatedWords.ALL);
    EmbeddedNodes nodes = start(5, 3);
    MapReduceTask<String, Long> task =
        input(nodes).mappedWith(GatedWords.WORDS).memoryMax(memoryMaxBytes);
    task = memoryMaxBytes == 0 ? task.combinedWith(Long::sum) : task.reducedWith(SUM);
    MapReduceJob<String, Long> job = task.start();
    WordCount.awaitMapped(job);
    long[] shares =
        job.stats().nodes().stream().mapToLong(MapReduceNodeStats::entries).sorted().toArray();
    nodes.node(1).close();
    Map<String, Long> result = new HashMap<>();
    AtomicBoolean isSecondGone = new AtomicBoolean();
    job.forEach((word, count) -> {
      result.put(word, count);
      if (!isSecondGone.getAndSet(true)) {
        nodes.node(2).close();
      }
    });
    assertEquals(expected, result);
    MapReduceStats stats = job.stats();
    assertTrue(stats.partitionsLost() > 0, stats::toString);
    long again = stats.entries() - ENTRIES;
    assertTrue(again > 0, stats::toString);
    assertTrue(
        again <= 2 * (shares[shares.length - 1] + shares[shares.length - 2]), stats::toString);
    String losses = stats.losses().toString();
    assertTrue(losses.contains("was given up"), losses);
    assertTrue(losses.contains("were sent again"), losses);
  }
}
