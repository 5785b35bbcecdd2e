package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.cluster.MembershipMessage.Learn;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.NodeId;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node joins, and another member is late to learn of it. */
@Timeout(60)
class InvalidationOfJoinerTest {
  private static final CacheConfig CONFIG =
      CacheConfig.builder().mode(CacheMode.INVALIDATION_SYNC).build();

  /** Many round trips. */
  private static final int LONG_MILLIS = 300;

  @Test
  void putOfTheJoiner_isDoneOnlyWhenAllKnowThatItIsThere() throws Exception {
    try (SteppedGrids grids = SteppedGrids.start(1, 1);
        ExecutorService caller = Executors.newVirtualThreadPerTaskExecutor()) {
      grids.create("c", CONFIG);
      Node late = grids.nodes().getLast();
      NodeId lateId = late.calls().self();
      grids.network().losing(lateId, Learn.class);
      Node joiner = grids.join(1);
      Cache<String, String> ofJoiner = joiner.cache("c");
      Cache<String, String> ofLate = late.cache("c");
      Future<?> put = caller.submit(() -> ofJoiner.put("k", "joiner's"));
      grids.time.pass(LONG_MILLIS);
      boolean wasDone = put.isDone();
      grids.network().losing(lateId, null);
      Await.until(
          "the joiner's put",
          () -> {
            grids.time.pass(1);
            return put.isDone();
          });
      assertNull(put.get());
      grids.time.call(() -> ofLate.put("k", "late one's"));
      assertNotEquals("joiner's", ofJoiner.get("k"), "which the other node has replaced");
      assertFalse(wasDone);
    }
  }
}
