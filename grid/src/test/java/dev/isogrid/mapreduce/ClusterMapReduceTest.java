package dev.isogrid.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.Collector;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.MapReduceException;
import dev.isogrid.api.MapReduceJob;
import dev.isogrid.api.MapReduceNodeStats;
import dev.isogrid.api.MapReduceStats;
import dev.isogrid.api.MapReduceTask;
import dev.isogrid.api.Mapper;
import dev.isogrid.api.Reducer;
import dev.isogrid.base.Await;
import dev.isogrid.cluster.RealNetwork;
import dev.isogrid.cluster.SeedAddress;
import java.io.File;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Map/reduce on nodes that share a cache over TCP, while they come and fail. */
@Timeout(90)
class ClusterMapReduceTest {
  private static final int ENTRIES = 2000;

  /** What mappers wait for at each entry; there for lambdas, which can't capture it. */
  private static final AtomicInteger MAPPED = new AtomicInteger();

  private static final Semaphore GATE = new Semaphore(0);

  private static final Mapper<Integer, String, String, Long> WORDS =
      (key, text, out) -> {
        MAPPED.incrementAndGet();
        GATE.acquire();
        for (String word : text.split(" ", -1)) {
          out.emit(word, 1L);
        }
      };

  private static final Reducer<String, Long> SUM =
      (key, values) -> {
        long sum = 0;
        while (values.hasNext()) {
          sum += values.next();
        }
        return sum;
      };

  private final List<Grid> grids = new ArrayList<>();
  private final Map<String, Long> expected = new HashMap<>();

  @AfterEach
  void close() throws Exception {
    List<Thread> closing =
        grids.stream().map(grid -> Thread.ofVirtual().start(grid::close)).toList();
    for (Thread each : closing) {
      each.join();
    }
    GATE.drainPermits();
    MAPPED.set(0);
    MapReduceTest.assertNothingLeft();
  }

  private void start(List<SeedAddress> at, List<SeedAddress> seeds) throws Exception {
    Grid[] started = new Grid[at.size()];
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < started.length; i++) {
      int index = i;
      threads.add(Thread.ofVirtual().start(() -> started[index] = startOne(at.get(index), seeds)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    grids.addAll(List.of(started));
  }

  private static Grid startOne(SeedAddress at, List<SeedAddress> seeds) {
    ClusterConfig cluster =
        ClusterConfig.builder()
            .bindPort(at.port())
            .seeds(seeds.stream().map(SeedAddress::toString).toList())
            .joinTimeout(30, TimeUnit.SECONDS)
            .leaveTimeout(0, TimeUnit.SECONDS) // goes without handing over
            .build();
    return Grid.start(GridConfig.builder().nodeName("n" + at.port()).cluster(cluster).build());
  }

  private Cache<Integer, String> fill(long seed) {
    return fill(seed, 2);
  }

  private Cache<Integer, String> fill(long seed, int owners) {
    Cache<Integer, String> cache =
        grids
            .getFirst()
            .cache(
                "c",
                CacheConfig.builder()
                    .mode(CacheMode.DIST_SYNC)
                    .owners(owners)
                    .segments(32)
                    .build());
    Random random = new Random(seed);
    for (int i = 0; i < ENTRIES; i++) {
      String text = MapReduceTest.text(random, 20, 3000);
      cache.put(i, text);
      MapReduceTest.count(text, expected);
    }
    return cache;
  }

  @Test
  void threeNodes_shareTheWork_inAllModes() throws Exception {
    GATE.release(1_000_000);
    List<SeedAddress> addresses = RealNetwork.freeAddresses(3);
    start(addresses, addresses);
    Cache<Integer, String> cache = fill(1);
    MapReduceTask<String, Long> task = grids.getFirst().mapReduce(cache).mappedWith(WORDS);
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
    MapReduceTask<String, Long> failingTask =
        grids.getFirst().mapReduce(cache).mappedWith(failing).combinedWith(Long::sum);
    MapReduceException failure = assertThrows(MapReduceException.class, failingTask::execute);
    assertTrue(String.valueOf(failure.getMessage()).contains("key="), failure.getMessage());
    Object captured = new Object();
    Mapper<Integer, String, String, Long> unserializable =
        (_, _, out) -> out.emit(captured.toString(), 1L);
    MapReduceTask<String, Long> unsendable =
        grids.getFirst().mapReduce(cache).mappedWith(unserializable).combinedWith(Long::sum);
    assertThrows(InvalidRequestException.class, unsendable::start);
  }

  @Test
  void largeValues_areCutOnAllNodes() throws Exception {
    GATE.release(1_000_000);
    List<SeedAddress> addresses = RealNetwork.freeAddresses(2);
    start(addresses, addresses);
    Cache<Integer, String> cache = fill(5);
    Random random = new Random(5);
    for (int key = ENTRIES; key < ENTRIES + 6; key++) {
      String text = MapReduceTest.text(random, 300_000, 3000);
      cache.put(key, text);
      MapReduceTest.count(text, expected);
    }
    MAPPED.set(0);
    MapReduceTask<String, Long> task =
        grids.getFirst().mapReduce(cache).mappedWith(Mapper.splitting(WORDS, SplitValueTest::cut));
    assertEquals(expected, task.combinedWith(Long::sum).execute());
    assertEquals(expected, task.reducedWith(SUM).memoryMax(1 << 20).execute());
    int calls = Runtime.getRuntime().availableProcessors() > 1 ? ENTRIES + 12 : ENTRIES + 6;
    assertTrue(MAPPED.get() >= 2 * calls, () -> "calls: " + MAPPED);
  }

  /** A mapper of which is known how many copies of it nodes still hold. */
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
      MAPPED.incrementAndGet();
      if (fault.equals("mapper") && key == ENTRIES - 1) {
        throw new IllegalStateException("asked to fail");
      }
      if (fault.equals("late") && key == ENTRIES - 1) {
        new CountDownLatch(1).await();
      }
      WORDS.map(key, text, out);
    }
  }

  @Test
  void failedLateAndCancelledTasks_leaveNothingOnAnyNode() throws Exception {
    GATE.release(1_000_000);
    List<SeedAddress> addresses = RealNetwork.freeAddresses(2);
    start(addresses, addresses);
    Cache<Integer, String> cache = fill(4);
    Reducer<String, Long> failing =
        (_, _) -> {
          throw new IllegalStateException("asked to fail");
        };
    for (String fault : List.of("mapper", "reducer", "late", "cancelled", "unwanted")) {
      MapReduceTask<String, Long> task =
          grids
              .getFirst()
              .mapReduce(cache)
              .mappedWith(new Counted(fault))
              .reducedWith(fault.equals("reducer") ? failing : SUM)
              .memoryMax(1 << 16);
      MAPPED.set(0);
      MapReduceJob<String, Long> job =
          fault.equals("late") ? task.timeout(2, TimeUnit.SECONDS).start() : task.start();
      if (fault.equals("cancelled")) {
        Await.until("some of it", Duration.ofSeconds(20), () -> MAPPED.get() > ENTRIES / 10);
        job.cancel();
      } else if (fault.equals("unwanted")) {
        Await.until("all", Duration.ofSeconds(20), () -> job.stats().segmentsDone() == 32);
        job.cancel();
      }
      assertThrows(MapReduceException.class, job::result, fault);
      assertNothingHeld(fault);
    }
    assertEquals(
        expected, grids.getFirst().mapReduce(cache).mappedWith(WORDS).reducedWith(SUM).execute());
    assertNothingHeld("done");
  }

  /** No functions, files and threads of tasks, though the nodes go on. */
  private static void assertNothingHeld(String after) throws Exception {
    Await.until( // before garbage is collected, which would close them
        "files to be closed after " + after,
        Duration.ofSeconds(20),
        () -> openFiles().stream().noneMatch(name -> name.contains("isogrid-pairs-")));
    Await.until(
        "copies of the mapper to be let go of after " + after,
        Duration.ofSeconds(20),
        () -> {
          System.gc();
          return Counted.COPIES.stream().allMatch(copy -> copy.get() == null);
        });
    MapReduceTest.assertNothingLeft();
  }

  /** What files this process has open, where the system tells. */
  static List<String> openFiles() {
    Path descriptors = Path.of("/proc/self/fd");
    List<String> names = new ArrayList<>();
    File[] all = descriptors.toFile().listFiles();
    for (File each : all == null ? new File[0] : all) {
      try {
        names.add(Files.readSymbolicLink(each.toPath()).toString());
      } catch (IOException closedMeanwhile) {
        assertFalse(Files.isSymbolicLink(each.toPath()), closedMeanwhile::toString);
      }
    }
    return names;
  }

  private void changeWhileMapping(boolean hasCombiner, Change change) throws Exception {
    List<SeedAddress> addresses = RealNetwork.freeAddresses(4);
    List<SeedAddress> seeds = addresses.subList(0, 3);
    start(seeds, seeds);
    Cache<Integer, String> cache = fill(2);
    MapReduceTask<String, Long> task =
        grids.getFirst().mapReduce(cache).mappedWith(WORDS).reducedWith(SUM);
    task = hasCombiner ? task.combinedWith(Long::sum) : task;
    GATE.release(ENTRIES / 2);
    MapReduceJob<String, Long> job = task.start();
    Await.until("half of it", Duration.ofSeconds(20), () -> MAPPED.get() >= ENTRIES / 2);
    change.make(addresses.getLast(), seeds);
    GATE.release(1_000_000);
    assertEquals(expected, job.result());
  }

  /** What happens to a cluster. */
  private interface Change {
    void make(SeedAddress free, List<SeedAddress> seeds) throws Exception;
  }

  @Test
  void nodeThatFails_whileAllMap_changesNoCount() throws Exception {
    changeWhileMapping(true, (_, _) -> grids.get(2).close());
  }

  @Test
  void nodeThatJoins_whileAllMap_changesNoCount() throws Exception {
    changeWhileMapping(false, (free, seeds) -> start(List.of(free), seeds));
  }

  /** With much memory for what was sent, and with so little that it goes to disk. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1 << 14})
  void nodesThatFail_afterMapping_costTheirShareOfMapping(long memoryMaxBytes) throws Exception {
    GATE.release(1_000_000);
    List<SeedAddress> addresses = RealNetwork.freeAddresses(5);
    start(addresses, addresses);
    Cache<Integer, String> cache = fill(3, 3);
    MapReduceTask<String, Long> task =
        grids.getFirst().mapReduce(cache).mappedWith(WORDS).memoryMax(memoryMaxBytes);
    task = memoryMaxBytes == 0 ? task.combinedWith(Long::sum) : task.reducedWith(SUM);
    MapReduceJob<String, Long> job = task.start();
    Await.until("all to be mapped", Duration.ofSeconds(20), () -> job.stats().segmentsDone() == 32);
    long[] shares =
        job.stats().nodes().stream().mapToLong(MapReduceNodeStats::entries).sorted().toArray();
    grids.get(1).close();
    Map<String, Long> result = new HashMap<>();
    AtomicBoolean isSecondGone = new AtomicBoolean();
    job.forEach((word, count) -> {
      result.put(word, count);
      if (!isSecondGone.getAndSet(true)) {
        grids.get(2).close();
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
