package dev.isogrid.verify.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Collector;
import dev.isogrid.api.Grid;
import dev.isogrid.api.MapReduceJob;
import dev.isogrid.api.MapReduceStats;
import dev.isogrid.api.MapReduceTask;
import dev.isogrid.api.Mapper;
import dev.isogrid.testkit.Await;
import dev.isogrid.testkit.FreePorts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Kills the process of a node in each phase of a map/reduce that this process started. Each test
 * begins with three such nodes.
 */
@Tag("deep")
class KilledNodeMapReduceTest {
  private static final int NODES = 3;
  private static final int ENTRIES = 4_000;
  private static final int SEGMENTS = 64;
  private static final int WORDS_PER_ENTRY = 4;
  private static final int DISTINCT = 2_000;
  private static final long MAP_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

  /** The padding that makes a result span several parts per partition. */
  private static final int PADDING = 3_000;

  private static final List<Process> NODES_RUNNING = new ArrayList<>();
  private static final Map<String, Long> EXPECTED = new HashMap<>();
  private static String seed = "";
  private static Grid grid;
  private static Cache<Integer, String> cache;

  /** Emits words; takes a while per text if the test disturbs it. */
  private record Words(long nanos, int padding) implements Mapper<Integer, String, String, Long> {
    @Override
    public void map(Integer key, String text, Collector<String, Long> out) {
      LockSupport.parkNanos(nanos);
      for (String word : text.split(" ", -1)) {
        out.emit(word + "-".repeat(padding), 1L);
      }
    }
  }

  @BeforeAll
  static void begin() throws IOException {
    int port = FreePorts.one();
    seed = "127.0.0.1:" + port;
    grid = MapReduceNode.join(port, List.of(seed));
    for (int i = 0; i < NODES; i++) {
      NODES_RUNNING.add(MapReduceNode.start(FreePorts.one(), List.of(seed)));
    }
    cache =
        grid.cache(
            "c",
            CacheConfig.builder().mode(CacheMode.DIST_SYNC).owners(2).segments(SEGMENTS).build());
    Random random = new Random(1);
    for (int i = 0; i < ENTRIES; i++) {
      List<String> words = new ArrayList<>();
      random.ints(WORDS_PER_ENTRY, 0, DISTINCT).forEach(word -> words.add("word" + word));
      words.forEach(word -> EXPECTED.merge(word, 1L, Long::sum));
      cache.put(i, String.join(" ", words));
    }
    for (Process each : NODES_RUNNING) {
      MapReduceNode.awaitReady(each);
    }
  }

  @AfterAll
  static void end() {
    NODES_RUNNING.forEach(Process::destroyForcibly);
    grid.close();
  }

  /** Waits until all nodes map a part, and each segment is on two of them. */
  @BeforeEach
  void awaitNodes() throws IOException {
    NODES_RUNNING.removeIf(each -> !each.isAlive());
    while (NODES_RUNNING.size() < NODES) {
      NODES_RUNNING.add(MapReduceNode.start(FreePorts.one(), List.of(seed)));
      MapReduceNode.awaitReady(NODES_RUNNING.getLast());
    }
    Await.until(
        "entries to be on all nodes",
        () -> {
          MapReduceJob<String, Long> job = grid.mapReduce(cache).countBy((_, _) -> "all").start();
          return job.result().equals(Map.of("all", (long) ENTRIES))
              && isMappedByAll(job.stats())
              && grid.rebalancing().progress().isComplete();
        });
  }

  private static boolean isMappedByAll(MapReduceStats stats) {
    return stats.nodes().stream().filter(node -> node.entries() > 0).count() == NODES + 1;
  }

  private static MapReduceTask<String, Long> task(long mapNanos, int padding) {
    return grid.mapReduce(cache).mappedWith(new Words(mapNanos, padding)).combinedWith(Long::sum);
  }

  /** Ends the process as {@code kill -9} does. */
  private static void kill() {
    Process killed = NODES_RUNNING.getFirst().destroyForcibly();
    killed.onExit().join();
  }

  private static void killWhen(
      String what, Predicate<MapReduceStats> when, long mapNanos, TestReporter reporter) {
    MapReduceJob<String, Long> job = task(mapNanos, 0).start();
    Await.until(what, () -> when.test(job.stats()));
    kill();
    assertEquals(EXPECTED, job.result());
    report(job.stats(), reporter);
  }

  private static void report(MapReduceStats stats, TestReporter reporter) {
    reporter.publishEntry(
        Map.of(
            "entries mapped",
            stats.entries() + " of " + ENTRIES,
            "segments repeated",
            String.valueOf(stats.segmentsRepeated()),
            "partitions lost",
            String.valueOf(stats.partitionsLost()),
            "milliseconds",
            stats.mapMillis() + " + " + stats.reduceMillis()));
  }

  @Test
  void killed_whenMappingBegins_changesNoCount(TestReporter reporter) {
    killWhen("all to map", KilledNodeMapReduceTest::isMappedByAll, MAP_NANOS, reporter);
  }

  @Test
  void killed_halfwayThroughMapping_changesNoCount(TestReporter reporter) {
    killWhen("half of it", stats -> stats.segmentsDone() >= SEGMENTS / 2, MAP_NANOS, reporter);
  }

  @Test
  void killed_afterMapping_changesNoCount(TestReporter reporter) {
    killWhen("all of it", stats -> stats.segmentsDone() == SEGMENTS, 0, reporter);
  }

  @Test
  void killed_whileResultsAreHandedOver_changesNoCount(TestReporter reporter) {
    MapReduceJob<String, Long> job = task(0, PADDING).start();
    Map<String, Long> result = new HashMap<>();
    job.forEach((padded, count) -> {
      String word = padded.substring(0, padded.length() - PADDING);
      Long before = result.put(word, count);
      assertTrue(before == null || before.equals(count), word);
      if (result.size() == EXPECTED.size() / 2 && before == null) {
        kill();
      }
    });
    assertEquals(EXPECTED, result);
    assertTrue(job.stats().partitionsLost() > 0, job.stats()::toString);
    report(job.stats(), reporter);
  }
}
