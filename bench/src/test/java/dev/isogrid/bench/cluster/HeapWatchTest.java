package dev.isogrid.bench.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class HeapWatchTest {
  @Test
  void seen_afterACollection_hasIt() throws Exception {
    try (HeapWatch watch = new HeapWatch()) {
      long before = fullCollections();
      System.gc();
      while (watch.seen().fullCount() < fullCollections() - before) {
        // The JVM reports a collection after it; the time-out interrupts.
        assertFalse(Thread.currentThread().isInterrupted(), "nothing was told of a collection");
        Thread.onSpinWait();
      }

      HeapWatch.Seen seen = watch.seen();

      assertTrue(seen.fullCount() > 0, seen::toString);
      assertTrue(seen.leftMaxBytes() > 0, seen::toString);
      assertTrue(seen.usedMaxBytes() >= seen.leftMaxBytes(), seen::toString);
      assertEquals(5, seen.line().split(" ", -1).length);
    }
  }

  private static long fullCollections() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .filter(collector -> collector.getName().matches(".*(Old|MarkSweep).*"))
        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
        .sum();
  }
}
