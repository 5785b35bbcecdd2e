package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.StorageType;
import dev.isogrid.cluster.MembershipMessage.Learn;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A cache is made or removed, and another member is late to learn of it. */
@Timeout(60)
class SettledCachesTest {
  /** Many round trips, and less than the time after which a member is not waited for. */
  private static final int LONG_MILLIS = 300;

  private static CacheConfig config(CacheMode mode) {
    return CacheConfig.builder().mode(mode).storage(StorageType.HEAP_BINARY).segments(16).build();
  }

  private static void create(SteppedGrids grids, CacheMode mode) throws Exception {
    Node first = grids.nodes().getFirst();
    grids.time.call(() -> {
      first.createForServer("c", config(mode));
      return first;
    });
  }

  /** Waits for all members, of which the last one gets no topology at first. */
  private static void awaitWhileLate(SteppedGrids grids) throws Exception {
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> waiting = callers.submit(() -> grids.nodes().getFirst().awaitEverywhere("c"));
      grids.time.pass(LONG_MILLIS);
      boolean wasDone = waiting.isDone();
      grids.network().losing(grids.nodes().getLast().calls().self(), null);
      grids.await(waiting::isDone);
      assertNull(waiting.get());
      assertFalse(wasDone);
    }
  }

  private static void losing(SteppedGrids grids) {
    grids.network().losing(grids.nodes().getLast().calls().self(), Learn.class);
  }

  @ParameterizedTest
  @EnumSource(
      value = CacheMode.class,
      names = {"DIST_SYNC", "LOCAL"})
  void newCache_isWaitedFor(CacheMode mode) throws Exception {
    try (SteppedGrids grids = SteppedGrids.start(1, 1, 1)) {
      Node late = grids.nodes().getLast();
      losing(grids);
      create(grids, mode);
      assertNull(late.engine("c"));
      awaitWhileLate(grids);
      assertNotNull(late.engine("c"));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = CacheMode.class,
      names = {"DIST_SYNC", "LOCAL"})
  void removal_isWaitedFor(CacheMode mode) throws Exception {
    try (SteppedGrids grids = SteppedGrids.start(1, 1, 1)) {
      Node late = grids.nodes().getLast();
      create(grids, mode);
      grids.await(() -> late.engine("c") != null);
      losing(grids);
      Node first = grids.nodes().getFirst();
      grids.time.call(() -> first.removeCache("c"));
      assertNotNull(late.engine("c"));
      awaitWhileLate(grids);
      assertNull(late.engine("c"));
    }
  }

  @Test
  void memberThatDoesNotLearn_isNotWaitedForLong() throws Exception {
    try (SteppedGrids grids = SteppedGrids.start(1, 1, 1);
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      losing(grids);
      create(grids, CacheMode.DIST_SYNC);
      Future<?> waiting = callers.submit(() -> grids.nodes().getFirst().awaitEverywhere("c"));
      grids.await(waiting::isDone);
      assertNull(waiting.get());
      assertNull(requireNonNull(grids.nodes().getLast().topology()).cache("c"));
      grids.network().losing(grids.nodes().getLast().calls().self(), null);
    }
  }
}
