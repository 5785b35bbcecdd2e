package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The permitted actions of functions in compute operations, and concurrent actions of others, in
 * every kind of cache. All keys are in one segment.
 */
@Timeout(60)
@ParameterizedClass
@MethodSource("dev.isogrid.node.CacheSetting#all")
class ComputeTest {
  private static final int KEYS = 50;
  private static final int THREADS = 8;

  private final CacheSetting setting;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private SteppedGrids grids;
  private Cache<String, String> cache;

  ComputeTest(CacheSetting setting) throws Exception {
    this.setting = setting;
    this.grids = setting.start();
    grids.create("c", setting.config(CacheConfig.builder().segments(1)));
    this.cache = grids.node(setting.viewpoint(), "c", 0).cache("c");
  }

  @BeforeEach
  void begin() {
    cache.put("present", "p");
  }

  @AfterEach
  void close() {
    mayEnd.countDown();
    threads.shutdownNow();
    grids.close();
  }

  /** Says that a function runs, and has it wait until it may end. */
  private String stuck(String value) {
    begun.countDown();
    try {
      mayEnd.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return value;
  }

  private Future<String> beginStuck(String key) throws Exception {
    Future<String> stuck = threads.submit(() -> cache.computeIfAbsent(key, _ -> stuck("s")));
    begun.await();
    return stuck;
  }

  @Test
  void function_mayReadAndWriteOtherKeys() {
    for (int i = 0; i < KEYS; i++) {
      String key = "outer" + i;
      String other = "inner" + i;
      cache.computeIfAbsent(
          key,
          _ -> {
            cache.put(other, "1");
            cache.merge(other, "2", String::concat);
            cache.putAll(Map.of(other + "a", "3"));
            assertEquals("p", cache.remove("present"));
            cache.put("present", "p");
            return cache.computeIfAbsent(other + "b", _ -> cache.get(other));
          });
      assertEquals("12", cache.get(key));
      assertEquals("12", cache.get(other));
      assertEquals("3", cache.get(other + "a"));
    }
  }

  @Test
  void function_thatWritesItsOwnKey_isRefusedAlways() {
    assertRefused(() -> cache.put("present", "x"));
    assertRefused(() -> cache.putIfAbsent("present", "x"));
    assertRefused(() -> cache.remove("present"));
    assertRefused(() -> cache.replace("present", "p", "x"));
    assertRefused(() -> cache.merge("present", "x", String::concat));
    assertRefused(() -> cache.compute("present", (_, _) -> "x"));
    assertRefused(() -> cache.putAll(Map.of("present", "x")));
    assertRefused(() -> cache.invoke("present", entry -> entry.value()));
    assertRefused(() -> cache.invokeAll(Set.of("present"), entry -> entry.value()));
    assertEquals("p", cache.get("present"));
  }

  @Test
  void function_thatWaitsForAnAsynchronousWriteOfItsOwnKey_isRefusedAtOnce() {
    assertRefusedAsync(() -> cache.putAsync("present", "x"));
    assertRefusedAsync(() -> cache.removeAsync("present"));
    assertRefusedAsync(() -> cache.replaceAsync("present", "p", "x"));
    assertRefusedAsync(() -> cache.mergeAsync("present", "x", String::concat));
    assertRefusedAsync(() -> cache.computeIfAbsentAsync("present", _ -> "x"));
    assertRefusedAsync(() -> cache.putAllAsync(Map.of("present", "x")));
    assertRefusedAsync(cache::clearAsync);
    assertRefusedAsync(() -> cache.invokeAsync("present", entry -> entry.value()));
    assertRefusedAsync(() -> cache.invokeAllAsync(Set.of("present"), entry -> entry.value()));
    assertRefusedAsync(() -> cache.loading(_ -> "x").getAsync("present"));
    assertRefusedAsync(() -> cache.loading(_ -> "x").refresh("present"));
    assertEquals("p", cache.get("present"));
  }

  private void assertRefusedAsync(Supplier<CompletableFuture<?>> begin) {
    assertRefused(() -> {
      CompletableFuture<?> begun = begin.get();
      assertTrue(begun.isCompletedExceptionally());
      throw begun.exceptionNow();
    });
  }

  private void assertRefused(Executable write) {
    List<String> refusals = new ArrayList<>();
    cache.computeIfPresent(
        "present",
        (_, value) -> {
          refusals.add(assertThrows(IllegalStateException.class, write).getMessage());
          return value;
        });
    assertEquals(1, refusals.size());
    String refusal = refusals.getFirst();
    assertTrue(refusal.startsWith("recursive update: cache=c, key=present"), refusal);
  }

  @Test
  void stuckFunction_delaysNothingButItsKey() throws Exception {
    Future<String> stuck = beginStuck("stuck");
    cache.put("other", "1");
    assertEquals("12", cache.merge("other", "2", String::concat));
    assertEquals("3", cache.computeIfAbsent("third", _ -> "3"));
    assertNull(cache.get("stuck"));
    cache.putAll(Map.of("other", "4"));
    assertEquals("4", cache.remove("other"));
    assertEquals(2, cache.size());
    assertFalse(stuck.isDone());
    mayEnd.countDown();
    assertEquals("s", stuck.get());
    assertEquals("s", cache.get("stuck"));
  }

  @Test
  void computeIfAbsent_byManyThreads_callsOneFunction() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    List<Future<String>> answers = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      answers.add(
          threads.submit(
              () -> cache.computeIfAbsent("k", _ -> stuck("" + calls.incrementAndGet()))));
    }
    begun.await();
    mayEnd.countDown();
    for (Future<String> each : answers) {
      assertEquals("1", each.get());
    }
    assertEquals(1, calls.get());
  }

  @Test
  void plainWrite_whileAFunctionRuns_isNotLost() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    Future<String> stuck =
        threads.submit(
            () -> cache.compute("present", (_, old) -> stuck(old + calls.incrementAndGet())));
    begun.await();
    if (setting.cluster() == CacheSetting.Cluster.NONE || setting.isInvalidating()) {
      Future<?> put = threads.submit(() -> cache.put("present", "put"));
      assertEquals("p", cache.get("present"));
      mayEnd.countDown();
      put.get();
      assertEquals("p1", stuck.get());
      assertEquals("put", cache.get("present"));
    } else {
      cache.put("present", "put");
      mayEnd.countDown();
      assertEquals("put2", stuck.get());
      assertEquals("put2", cache.get("present"));
    }
  }

  @Test
  void functionThatFails_leavesTheKeyToTheNextOne() throws Exception {
    Future<?> failing =
        threads.submit(() ->
            cache.computeIfAbsent(
                "k",
                _ -> {
                  stuck("");
                  throw new ArithmeticException("on purpose");
                }));
    begun.await();
    Future<String> next = threads.submit(() -> cache.computeIfAbsent("k", _ -> "second"));
    mayEnd.countDown();
    assertThrows(Exception.class, failing::get);
    assertEquals("second", next.get());
    assertEquals("second", cache.get("k"));
  }

  @Test
  void computeIfAbsent_onAllNodes_callsOneFunction() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    List<Future<String>> answers = new ArrayList<>();
    for (Node node : grids.nodes()) {
      Cache<String, String> here = node.cache("c");
      for (int i = 0; i < 2; i++) {
        answers.add(
            threads.submit(
                () -> here.computeIfAbsent("k", _ -> stuck("" + calls.incrementAndGet()))));
      }
    }
    begun.await();
    mayEnd.countDown();
    Set<String> values = new TreeSet<>();
    for (Future<String> each : answers) {
      values.add(grids.time.call(each::get));
    }
    // Where nodes share no entries, each one loads its own, or finds that another invalidated it.
    assertTrue(setting.isInvalidating() || calls.get() == 1, () -> "calls: " + calls);
    assertTrue(setting.isInvalidating() || values.equals(Set.of("1")), values::toString);
  }
}
