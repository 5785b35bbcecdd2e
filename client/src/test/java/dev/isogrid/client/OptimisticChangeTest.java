package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes that depend on the present value, against a real server. */
class OptimisticChangeTest {
  private static TestServer server;

  private RemoteCacheManager manager;
  private RemoteCache<String, Integer> cache;

  @BeforeAll
  static void startServer() {
    server = new TestServer();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void connect() {
    manager = new RemoteCacheManager(server.client().build());
    cache = Objects.requireNonNull(manager.getCache("default"));
    cache.clear();
  }

  @AfterEach
  void disconnect() {
    manager.close();
  }

  @Test
  void compute_ofPresentAndAbsent_stores() {
    assertEquals(1, cache.compute("k", (key, value) -> value == null ? 1 : -1));
    assertEquals(2, cache.compute("k", (key, value) -> value == null ? -1 : value + 1));
    assertEquals(2, cache.get("k"));
    assertNull(cache.compute("k", (key, value) -> null));
    assertNull(cache.get("k"));
    assertNull(cache.compute("k", (key, value) -> null));
  }

  @Test
  void computeIfAbsent_storesTheFirstOnly() {
    assertNull(cache.computeIfAbsent("k", key -> null));
    assertEquals(1, cache.computeIfAbsent("k", key -> 1));
    assertEquals(1, cache.computeIfAbsent("k", key -> 2));
  }

  @Test
  void computeIfAbsent_whenAnotherStoresMeanwhile_givesThatOne() {
    Integer given =
        cache.computeIfAbsent(
            "k",
            key -> {
              cache.put(key, 7);
              return 1;
            });
    assertEquals(7, given);
    assertEquals(7, cache.get("k"));
  }

  @Test
  void computeIfPresent_ofAbsent_doesNothing() {
    assertNull(cache.computeIfPresent("k", (key, value) -> 1));
    cache.put("k", 1);
    assertEquals(2, cache.computeIfPresent("k", (key, value) -> value + 1));
    assertNull(cache.computeIfPresent("k", (key, value) -> null));
    assertNull(cache.get("k"));
  }

  @Test
  void merge_ofPresentAndAbsent_stores() {
    assertEquals(5, cache.merge("k", 5, Integer::sum));
    assertEquals(8, cache.merge("k", 3, Integer::sum));
    assertNull(cache.merge("k", 3, (a, b) -> null));
    assertNull(cache.get("k"));
  }

  @Test
  void function_isCalledAgainWithTheNewerValue() {
    cache.put("k", 1);
    List<Integer> seen = new ArrayList<>();
    Integer result =
        cache.compute(
            "k",
            (key, value) -> {
              seen.add(value);
              if (seen.size() <= 5) { // beyond the tries without a pause
                cache.put(key, value + 100);
              }
              return value + 1;
            });
    assertEquals(List.of(1, 101, 201, 301, 401, 501), seen);
    assertEquals(502, result);
    assertEquals(502, cache.get("k"));
  }

  @Test
  void change_ofKeyThatIsChangedAtEachTry_failsWithTheNumberOfTries() {
    AtomicInteger calls = new AtomicInteger();
    HotRodClientException failure =
        assertThrows(
            HotRodClientException.class,
            () ->
                cache.compute(
                    "k",
                    (key, value) -> {
                      cache.put(key, calls.incrementAndGet());
                      return 0;
                    }));
    assertEquals(RemoteCache.CHANGE_TRIES_MAX, calls.get());
    assertTrue(
        String.valueOf(failure.getMessage())
            .contains("cache=default, operation=compute, tries=" + RemoteCache.CHANGE_TRIES_MAX),
        failure.getMessage());
  }

  @Test
  void function_thatThrows_changesNothing() {
    cache.put("k", 1);
    assertThrows(
        IllegalStateException.class,
        () ->
            cache.compute(
                "k",
                (key, value) -> {
                  throw new IllegalStateException("asked to");
                }));
    assertEquals(1, cache.get("k"));
  }

  @Test
  void merges_ofManyThreads_loseNothing() throws Exception {
    int threads = 4;
    int times = 50;
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> done = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        done.add(
            executor.submit(() -> {
              for (int n = 0; n < times; n++) {
                cache.merge("k", 1, Integer::sum);
              }
            }));
      }
      for (Future<?> each : done) {
        each.get();
      }
    } finally {
      executor.shutdown();
    }
    assertEquals(threads * times, cache.get("k"));
  }

  @Test
  void nearCache_doesNotHideChangesOfOthers() {
    try (RemoteCacheManager near =
        new RemoteCacheManager(
            server.client().nearCache("default", NearCacheConfig.invalidated(100)).build())) {
      RemoteCache<String, Integer> kept = Objects.requireNonNull(near.getCache("default"));
      cache.put("k", 1);
      assertEquals(1, kept.get("k"));
      cache.put("k", 5);
      assertEquals(6, kept.merge("k", 1, Integer::sum));
      assertEquals(6, cache.get("k"));
    }
  }

  @Test
  void asyncConditions_compareValues() {
    cache.put("k", 1);
    assertEquals(false, cache.replaceAsync("k", 2, 3).join());
    assertEquals(true, cache.replaceAsync("k", 1, 3).join());
    assertEquals(false, cache.removeAsync("k", 1).join());
    assertEquals(true, cache.removeAsync("k", 3).join());
    assertNull(cache.get("k"));
  }
}
