package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isogrid.api.FencedLock;
import dev.isogrid.api.RetryableGridException;
import org.junit.jupiter.api.Test;

/** The first lock of a node, for which the node begins a session in the cluster. */
class LockSessionTest {
  @Test
  void lock_ofANodeThatLosesTheOthers_isToBeTriedAgain() throws Exception {
    try (SteppedGrids grids = SteppedGrids.start(1, 1, 1)) {
      Node node = grids.nodes().get(1);
      FencedLock lock = grids.time.call(() -> node.locks().lock("x"));
      grids.time.settle();
      grids.network().cutOff(node.calls().self());
      assertThrows(RetryableGridException.class, () -> grids.time.call(() -> lock.tryLock()));
      FencedLock others = grids.time.call(() -> grids.nodes().get(2).locks().lock("x"));
      long fence = grids.time.call(() -> others.tryLock());
      assertEquals(1, fence);
    }
  }
}
