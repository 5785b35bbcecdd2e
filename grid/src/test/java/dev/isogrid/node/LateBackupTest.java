package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.cluster.MembershipMessage.Learn;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cache is defined in a group of others, and a node that keeps its entries learns of it late. */
@Timeout(60)
class LateBackupTest {
  private static final CacheConfig CONFIG =
      CacheConfig.builder().mode(CacheMode.DIST_SYNC).owners(2).segments(16).build();

  /** Many round trips. */
  private static final int LONG_MILLIS = 300;

  private static final int KEYS_MAX = 10_000;

  @Test
  void put_whenABackupDoesNotKnowTheCacheYet_survivesThePrimary() throws Exception {
    try (SteppedGrids grids = SteppedGrids.start(1, 1, 1)) {
      grids.create("old", CONFIG);
      Node late = grids.nodes().getLast();
      NodeId lateId = late.calls().self();
      String key =
          key(grids, owners -> owners.isr().contains(lateId) && !lateId.equals(owners.primary()));
      Node primary = primary(grids, key);
      boolean wasDone = putWhileLate(grids, primary, late, key);
      grids.kill(primary);
      assertEquals("v", grids.time.call(() -> late.<String, String>cache("new").get(key)));
      assertFalse(wasDone);
    }
  }

  @Test
  void put_whenThePrimaryDoesNotKnowTheCacheYet_isKept() throws Exception {
    try (SteppedGrids grids = SteppedGrids.start(1, 1, 1)) {
      grids.create("old", CONFIG);
      Node late = grids.nodes().getLast();
      String key = key(grids, owners -> late.calls().self().equals(owners.primary()));
      boolean wasDone = putWhileLate(grids, grids.nodes().getFirst(), late, key);
      assertEquals("v", grids.time.call(() -> late.<String, String>cache("new").get(key)));
      assertFalse(wasDone);
    }
  }

  /** Puts into a new cache; returns whether it was done before the late node heard of the cache. */
  private static boolean putWhileLate(SteppedGrids grids, Node caller, Node late, String key)
      throws Exception {
    NodeId lateId = late.calls().self();
    grids.network().losing(lateId, Learn.class);
    Cache<String, String> cache = grids.time.call(() -> caller.cache("new", CONFIG));
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> put = callers.submit(() -> cache.put(key, "v"));
      grids.time.pass(LONG_MILLIS);
      boolean wasDone = put.isDone();
      grids.network().losing(lateId, null);
      grids.await(put::isDone);
      assertNull(put.get());
      grids.await(() -> requireNonNull(late.topology()).cache("new") != null);
      return wasDone;
    }
  }

  private static String key(SteppedGrids grids, Predicate<SegmentOwners> wanted) {
    return IntStream.range(0, KEYS_MAX)
        .mapToObj(i -> "k" + i)
        .filter(key -> wanted.test(owners(grids, key)))
        .findFirst()
        .orElseThrow();
  }

  private static SegmentOwners owners(SteppedGrids grids, String key) {
    Cache<String, String> old = grids.nodes().getFirst().cache("old");
    return grids.owners("old", ((EmbeddedCache<?, ?, ?, ?>) old).segmentOf(key));
  }

  private static Node primary(SteppedGrids grids, String key) {
    return grids.node(requireNonNull(owners(grids, key).primary()));
  }
}
