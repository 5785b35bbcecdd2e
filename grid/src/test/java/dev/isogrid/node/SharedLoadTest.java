package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheLoader;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Grid;
import dev.isogrid.api.LoadingCache;
import dev.isogrid.api.StorageType;
import dev.isogrid.testkit.Await;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Threads that ask for a key while another one loads it, and the load does not give a value. */
class SharedLoadTest {
  private static final int WAITING = 4;

  private static EmbeddedNodes nodes;
  private static Grid alone;

  @BeforeAll
  static void start() throws Exception {
    nodes = EmbeddedNodes.start(1);
    alone = Grid.start();
  }

  @AfterAll
  static void stop() {
    alone.close();
    nodes.close();
  }

  /** The ways in which a cache loads. */
  enum Way {
    LOCAL_VIEW,
    LOCAL_CONFIGURED,
    CLUSTERED_VIEW
  }

  private interface Reading {
    @Nullable Integer get(String key);
  }

  /** Waits in each load until it is let go on. */
  private static final class SlowLoader implements CacheLoader<String, Integer> {
    final AtomicInteger loads = new AtomicInteger();
    final CountDownLatch goOn = new CountDownLatch(1);

    @Override
    public @Nullable Integer load(String key) throws InterruptedException {
      loads.incrementAndGet();
      goOn.await();
      if (key.equals("bad")) {
        throw new ArithmeticException("on purpose");
      }
      return null;
    }
  }

  private static Reading reading(Way way, CacheLoader<String, Integer> loader) {
    Grid grid = nodes.node(0);
    String name = "c" + System.identityHashCode(loader);
    CacheConfig.Builder config = CacheConfig.builder().segments(16);
    return switch (way) {
      case LOCAL_VIEW -> view(grid.cache(name, config.build()), loader);
      case CLUSTERED_VIEW ->
          view(grid.cache(name, config.mode(CacheMode.DIST_SYNC).build()), loader);
      case LOCAL_CONFIGURED -> {
        Cache<String, Integer> cache =
            alone.cache(name, config.storage(StorageType.HEAP_BINARY).loader(loader).build());
        yield cache::get;
      }
    };
  }

  private static Reading view(Cache<String, Integer> cache, CacheLoader<String, Integer> loader) {
    LoadingCache<String, Integer> loading = cache.loading(loader);
    return loading::get;
  }

  private static boolean isWaiting(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        || thread.getState() == Thread.State.TIMED_WAITING;
  }

  /** Reads a key in several threads, the first of which loads it while the others wait. */
  private static List<FutureTask<@Nullable Integer>> readTogether(
      Way way, SlowLoader loader, String key) throws Exception {
    Reading reading = reading(way, loader);
    List<FutureTask<@Nullable Integer>> reads = new ArrayList<>();
    for (int i = 0; i <= WAITING; i++) {
      FutureTask<@Nullable Integer> read = new FutureTask<>(() -> reading.get(key));
      Thread reader = Thread.ofPlatform().daemon().start(read);
      Await.until("reader waits", () -> loader.loads.get() == 1 && isWaiting(reader));
      reads.add(read);
    }
    loader.goOn.countDown();
    return reads;
  }

  @ParameterizedTest
  @EnumSource
  void failure_isThatOfAllWhoWait(Way way) throws Exception {
    SlowLoader loader = new SlowLoader();
    List<Throwable> failures = new ArrayList<>();
    for (FutureTask<@Nullable Integer> read : readTogether(way, loader, "bad")) {
      failures.add(
          Objects.requireNonNull(assertThrows(ExecutionException.class, read::get).getCause()));
    }
    assertEquals(1, loader.loads.get());
    assertEquals(Collections.nCopies(WAITING + 1, failures.getFirst()), failures);
    Throwable thrown = failures.getFirst();
    assertInstanceOf(
        ArithmeticException.class, way == Way.LOCAL_CONFIGURED ? thrown.getCause() : thrown);
  }

  @ParameterizedTest
  @EnumSource
  void absence_isThatOfAllWhoWait(Way way) throws Exception {
    SlowLoader loader = new SlowLoader();
    for (FutureTask<@Nullable Integer> read : readTogether(way, loader, "none")) {
      assertNull(read.get());
    }
    assertEquals(1, loader.loads.get());
  }
}
