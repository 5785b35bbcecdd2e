package dev.isogrid.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.KeyAffinity;
import dev.isogrid.node.Node;
import dev.isogrid.node.SteppedGrids;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.NodeId;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Functions of streams that take longer than a node has for its first answer. */
class SlowFunctionTest {
  private static final int SEGMENTS = 8;
  private static final long LONG_MILLIS = 6_000;
  private static final int CALLS_MAX = 10;

  private static final AtomicInteger BEGUN = new AtomicInteger();

  /** Each call waits for the one of its number. */
  private static final List<CountDownLatch> GATES =
      Stream.generate(() -> new CountDownLatch(1)).limit(CALLS_MAX).toList();

  private static boolean slow() {
    int call = BEGUN.getAndIncrement();
    try {
      GATES.get(call).await();
    } catch (InterruptedException interruption) {
      throw new IllegalStateException("given up", interruption);
    }
    return true;
  }

  private static void passUntil(SteppedGrids grids, String what, BooleanSupplier holds) {
    Await.until(
        what,
        () -> {
          grids.time.pass(10);
          return holds.getAsBoolean();
        });
  }

  @Test
  void node_withSlowFunctions_isGivenTheTimeFromItsSecondPartOn() throws Exception {
    try (SteppedGrids grids = SteppedGrids.start(1, 1);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      CacheConfig config = CacheConfig.builder().mode(CacheMode.DIST_SYNC).build();
      grids.create("c", config.toBuilder().segments(SEGMENTS).owners(1).build());
      Cache<Integer, Integer> cache = putIntoTwoSegmentsOfTheOther(grids);
      Future<Long> count =
          threads.submit(
              () -> cache.values().stream().timeout(1, TimeUnit.HOURS).filter(_ -> slow()).count());
      Await.until("the first call", () -> BEGUN.get() == 1);
      grids.time.pass(LONG_MILLIS); // the first attempt is given up, and another one begins
      passUntil(grids, "the call of the second attempt", () -> BEGUN.get() == 2);
      grids.time.pass(LONG_MILLIS); // the node answers after this segment
      GATES.get(1).countDown();
      passUntil(grids, "the call of the second part", () -> BEGUN.get() == 3);
      grids.time.pass(2 * LONG_MILLIS);
      GATES.forEach(CountDownLatch::countDown);
      passUntil(grids, "the count", count::isDone);
      assertEquals(2L, count.get());
      assertEquals(3, BEGUN.get());
    }
  }

  private static Cache<Integer, Integer> putIntoTwoSegmentsOfTheOther(SteppedGrids grids)
      throws Exception {
    Node caller = grids.nodes().getFirst();
    NodeId other = grids.nodes().getLast().calls().self();
    List<Integer> segments =
        IntStream.range(0, SEGMENTS)
            .filter(segment -> other.equals(grids.owners("c", segment).primary()))
            .limit(2)
            .boxed()
            .toList();
    assertEquals(2, segments.size());
    AtomicInteger next = new AtomicInteger();
    KeyAffinity<Integer> affinity = caller.keyAffinity("c", next::incrementAndGet);
    Cache<Integer, Integer> cache = caller.cache("c");
    for (int segment : segments) {
      int key = affinity.keyForSegment(segment);
      grids.time.call(() -> cache.put(key, key));
    }
    return cache;
  }
}
