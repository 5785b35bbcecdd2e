package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.codec.ScalarMarshaller;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Functions of the compute operations in caches of one node, with real threads. */
@Timeout(60)
class LocalComputeTest {
  private static final int NESTED = 2000;

  private final Grid grid = Grid.start(GridConfig.builder().nodeName("n").build());
  private final Cache<String, String> cache =
      grid.cache("c", CacheConfig.builder().segments(1).build());
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);

  @AfterEach
  void close() {
    mayEnd.countDown();
    threads.shutdownNow();
    grid.close();
  }

  /** Says that a function runs, and has it wait until it may end, interrupted or not. */
  private String stuck(String value) {
    begun.countDown();
    boolean isInterrupted = false;
    while (true) {
      try {
        mayEnd.await();
        break;
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
    return value;
  }

  @Test
  void nestedComputeIfAbsent_ofDistinctKeys_neverFails() {
    Cache<Integer, Integer> sums = grid.cache("sums");
    for (int i = 0; i < NESTED; i++) {
      int key = i;
      int other = -1 - i;
      assertEquals(i, sums.computeIfAbsent(key, _ -> sums.computeIfAbsent(other, _ -> key)));
    }
    assertEquals(2 * NESTED, sums.size());
  }

  @Test
  void close_whileAFunctionIsStuck_ends() throws Exception {
    Future<String> stuck = threads.submit(() -> cache.computeIfAbsent("k", _ -> stuck("v")));
    begun.await();
    Future<?> waiting =
        WaitingThread.begin(threads, () -> cache.computeIfAbsent("k", _ -> "other"));
    grid.close();
    ExecutionException refused = assertThrows(ExecutionException.class, waiting::get);
    assertInstanceOf(FatalGridException.class, refused.getCause());
    assertFalse(stuck.isDone());
    mayEnd.countDown();
    refused = assertThrows(ExecutionException.class, stuck::get);
    assertInstanceOf(FatalGridException.class, refused.getCause());
  }

  @Test
  void removeCache_whileAFunctionIsStuck_ends() throws Exception {
    Future<String> stuck = threads.submit(() -> cache.computeIfAbsent("k", _ -> stuck("v")));
    begun.await();
    assertTrue(grid.removeCache("c"));
    mayEnd.countDown();
    assertThrows(ExecutionException.class, stuck::get);
  }

  @Test
  void crossingFunctions_ofTwoCaches_areToldApart() throws Exception {
    Cache<String, String> other = grid.cache("d");
    CyclicBarrier both = new CyclicBarrier(2);
    Future<String> first =
        threads.submit(() ->
            cache.compute(
                "k1",
                (_, _) -> {
                  await(both);
                  return other.compute("k2", (_, old) -> old + "1");
                }));
    Future<String> second =
        threads.submit(() ->
            other.compute(
                "k2",
                (_, _) -> {
                  await(both);
                  return cache.compute("k1", (_, old) -> old + "2");
                }));
    String failure = failure(first) + failure(second);
    assertTrue(failure.contains("cache=c, key=k1"), failure);
    assertTrue(failure.contains("cache=d, key=k2"), failure);
    assertEquals(1, List.of(failure.split("functions wait for each other")).size() - 1, failure);
  }

  private static String failure(Future<?> future) throws InterruptedException {
    try {
      future.get();
      return "";
    } catch (ExecutionException failed) {
      return String.valueOf(
          assertInstanceOf(RetryableGridException.class, failed.getCause()).getMessage());
    }
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void writeOfAClient_whileAFunctionRuns_doesNotWait() throws Exception {
    Cache<String, String> shared =
        grid.cache(
            "bytes",
            CacheConfig.builder().storage(dev.isogrid.api.StorageType.HEAP_BINARY).build());
    AtomicInteger calls = new AtomicInteger();
    Future<String> computed =
        threads.submit(() -> shared.compute("k", (_, old) -> stuck(old + calls.incrementAndGet())));
    begun.await();
    CacheEngine<BinaryKey, Bytes> engine = Objects.requireNonNull(((Node) grid).engine("bytes"));
    shared.put("from", "client");
    Bytes[] value = new Bytes[1];
    BinaryEdge<String, String> edge =
        BinaryEdge.of(ScalarMarshaller.INSTANCE, ScalarMarshaller.INSTANCE);
    BinaryKey key = edge.storedKey("k");
    value[0] = edge.storedValue("client");
    engine.write(key, key.hash(), new KeyWrite<BinaryKey, Bytes>().put(value[0]));
    assertEquals("client", shared.get("k"));
    mayEnd.countDown();
    assertEquals("client2", computed.get());
    assertEquals("client2", shared.get("k"));
  }

  @Test
  void asyncFunction_doesNotRunInTheCallersThread() throws Exception {
    CompletableFuture<@Nullable String> absent = cache.computeIfAbsentAsync("k", _ -> stuck("v"));
    begun.await();
    CompletableFuture<@Nullable String> merged = cache.mergeAsync("k", "w", String::concat);
    CompletableFuture<@Nullable String> put = cache.putAsync("k", "x");
    assertFalse(absent.isDone());
    assertFalse(put.isDone());
    mayEnd.countDown();
    assertEquals("v", absent.get());
    assertTrue(Set.of("vw", "xw").contains(merged.get()));
    assertTrue(Set.of("v", "vw").contains(put.get()));
  }

  @Test
  void interruptedThread_thatWaitsForAFunction_isToldSo() throws Exception {
    Future<String> stuck = threads.submit(() -> cache.computeIfAbsent("k", _ -> stuck("v")));
    begun.await();
    Thread[] waiter = new Thread[1];
    CompletableFuture<Throwable> refusal = new CompletableFuture<>();
    WaitingThread.begin(
        threads,
        () -> {
          waiter[0] = Thread.currentThread();
          refusal.complete(
              assertThrows(RetryableGridException.class, () -> cache.put("k", "other")));
          assertTrue(Thread.interrupted());
        });
    waiter[0].interrupt();
    String message = String.valueOf(refusal.get().getMessage());
    assertTrue(message.contains("cache=c, key=k"), message);
    mayEnd.countDown();
    assertEquals("v", stuck.get());
  }
}
