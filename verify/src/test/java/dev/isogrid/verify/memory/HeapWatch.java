package dev.isogrid.verify.memory;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/**
 * Watches the heap of this process by its collections. The use before a collection is the maximum
 * between two collections. The rest after a full collection is the live data. Also records the
 * length of collections. Knows G1 and the serial collector. Thread-safe.
 */
final class HeapWatch {
  /** The names of full collections, which stop all threads. */
  private static final Set<String> FULL = Set.of("G1 Old Generation", "MarkSweepCompact");

  private static final long TOLD_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final List<GarbageCollectorMXBean> collectors =
      ManagementFactory.getGarbageCollectorMXBeans();
  private final Set<String> heapPools =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getType() == MemoryType.HEAP)
          .map(MemoryPoolMXBean::getName)
          .collect(Collectors.toSet());
  private final AtomicLong told = new AtomicLong();
  private final AtomicLong usedBytesMax = new AtomicLong();
  private final AtomicLong leftBytesMax = new AtomicLong();
  private final AtomicLong fullMillisMax = new AtomicLong();
  private final AtomicLong pauseMillisMax = new AtomicLong();
  private final long countBefore;

  /** Starts to watch. */
  HeapWatch() {
    for (GarbageCollectorMXBean collector : collectors) {
      ((NotificationEmitter) collector)
          .addNotificationListener((notification, _) -> on(notification), null, null);
    }
    this.countBefore = count();
  }

  private long count() {
    return collectors.stream().mapToLong(GarbageCollectorMXBean::getCollectionCount).sum();
  }

  private void on(Notification notification) {
    GarbageCollectionNotificationInfo told =
        GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
    GcInfo collection = told.getGcInfo();
    max(usedBytesMax, used(collection.getMemoryUsageBeforeGc()));
    if (FULL.contains(told.getGcName())) {
      max(leftBytesMax, used(collection.getMemoryUsageAfterGc()));
      max(fullMillisMax, collection.getDuration());
    }
    if (!told.getGcName().contains("Concurrent")) {
      max(pauseMillisMax, collection.getDuration());
    }
    this.told.incrementAndGet();
  }

  private static void max(AtomicLong most, long value) {
    most.accumulateAndGet(value, Math::max);
  }

  private long used(Map<String, MemoryUsage> pools) {
    return pools.entrySet().stream()
        .filter(pool -> heapPools.contains(pool.getKey()))
        .mapToLong(pool -> pool.getValue().getUsed())
        .sum();
  }

  /** Waits until all collections so far are counted here, since the JVM reports them later. */
  void awaitAll() {
    long end = System.nanoTime() + TOLD_NANOS_MAX;
    long expected = count() - countBefore;
    while (told.get() < expected) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(
            "collections were not told: expected=%d, told=%s".formatted(expected, told));
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /** The most of the heap that was used at any time, garbage included. */
  long usedBytesMax() {
    return usedBytesMax.get();
  }

  /** The most memory that a full collection left in use; 0 if there was none. */
  long leftBytesMax() {
    return leftBytesMax.get();
  }

  /** The longest full collection in milliseconds; 0 if there was none. */
  long fullMillisMax() {
    return fullMillisMax.get();
  }

  /** The longest time that a collection stopped all threads, in milliseconds. */
  long pauseMillisMax() {
    return pauseMillisMax.get();
  }
}
