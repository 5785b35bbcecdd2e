package dev.isogrid.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.KeyAffinity;
import dev.isogrid.cluster.MembershipMessage;
import dev.isogrid.node.Node;
import dev.isogrid.node.SteppedGrids;
import dev.isogrid.testkit.Await;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Keys whose node has no lease for a moment while their entries are mapped. */
class MappedOnceTest {
  private static final long DEADLINE_SECONDS = 120;
  private static final AtomicInteger BEGUN = new AtomicInteger();
  private static final AtomicInteger ENDED = new AtomicInteger();
  private static final Queue<Thread> MAPPING = new ConcurrentLinkedQueue<>();
  private static final Semaphore PERMITS = new Semaphore(0);

  private static void slow() throws InterruptedException {
    MAPPING.add(Thread.currentThread());
    BEGUN.incrementAndGet();
    try {
      PERMITS.acquire();
    } finally { // a job that gives an attempt up interrupts it
      ENDED.incrementAndGet();
    }
  }

  private static void passUntil(SteppedGrids grids, BooleanSupplier holds) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not in time: begun=" + BEGUN.get());
      }
      grids.time.pass(10);
    }
  }

  @Test
  void key_whoseReadIsDisturbed_countsOnce() throws Exception {
    BEGUN.set(0);
    ENDED.set(0);
    MAPPING.clear();
    PERMITS.drainPermits();
    try (SteppedGrids grids = SteppedGrids.start(1, 1, 1);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      grids.create("c", CacheConfig.builder().mode(CacheMode.DIST_SYNC).segments(8).build());
      Node starter = grids.nodes().getFirst();
      Node mapping = grids.nodes().get(1);
      AtomicInteger next = new AtomicInteger();
      KeyAffinity<Integer> affinity = starter.keyAffinity("c", next::incrementAndGet);
      int key = affinity.keyFor("n1");
      Cache<Integer, Integer> cache = starter.cache("c");
      grids.time.call(() -> cache.put(key, 7));
      Future<Map<String, Long>> result =
          threads.submit(() ->
              starter
                  .mapReduce(cache)
                  .onKeys(List.of(key))
                  .<String, Long>mappedWith((_, _, out) -> {
                    slow();
                    out.emit("all", 1L);
                  })
                  .combinedWith(Long::sum)
                  .execute());
      passUntil(grids, () -> BEGUN.get() == 1);
      grids.network().losing(mapping.calls().self(), MembershipMessage.Grant.class);
      passUntil(grids, () -> !mapping.isLeased());
      PERMITS.release(10);
      Await.until("the mapper's end", () -> ENDED.get() > 0);
      Thread thread = MAPPING.element();
      Await.until("the thread's next wait", () -> thread.getState() != Thread.State.RUNNABLE);
      grids.network().losing(mapping.calls().self(), null);
      passUntil(grids, result::isDone);
      assertEquals(Map.of("all", 1L), result.get(DEADLINE_SECONDS, TimeUnit.SECONDS));
    }
  }
}
