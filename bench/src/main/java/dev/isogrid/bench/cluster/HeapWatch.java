package dev.isogrid.bench.cluster;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/** Watches the heap of this process, and the collections of its garbage. Thread-safe. */
final class HeapWatch implements AutoCloseable {
  /** The JVM's name of a full collection that stops all threads. */
  private static final String FULL = "end of major GC";

  private final Set<String> pools =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getType() == MemoryType.HEAP)
          .map(MemoryPoolMXBean::getName)
          .collect(Collectors.toUnmodifiableSet());

  private final NotificationListener listener = (notification, _) -> collected(notification);

  /** Guarded by this object. */
  private Seen seen = new Seen(0, 0, 0, 0, 0);

  /**
   * The observations.
   *
   * @param usedMaxBytes the most that was in use, garbage included
   * @param leftMaxBytes the most that was left after a collection
   * @param fullCount the number of full collections
   * @param fullMaxMillis the longest of these
   * @param otherMaxMillis the longest other one, concurrent ones included
   */
  record Seen(
      long usedMaxBytes,
      long leftMaxBytes,
      long fullCount,
      long fullMaxMillis,
      long otherMaxMillis) {
    private Seen with(long beforeBytes, long afterBytes) {
      return new Seen(
          Math.max(usedMaxBytes, beforeBytes),
          Math.max(leftMaxBytes, afterBytes),
          fullCount,
          fullMaxMillis,
          otherMaxMillis);
    }

    private Seen withCollection(boolean isFull, long millis) {
      return new Seen(
          usedMaxBytes,
          leftMaxBytes,
          fullCount + (isFull ? 1 : 0),
          isFull ? Math.max(fullMaxMillis, millis) : fullMaxMillis,
          isFull ? otherMaxMillis : Math.max(otherMaxMillis, millis));
    }

    /** The numbers as a line of words. */
    String line() {
      return "%d %d %d %d %d"
          .formatted(usedMaxBytes, leftMaxBytes, fullCount, fullMaxMillis, otherMaxMillis);
    }
  }

  /** Starts to watch. */
  HeapWatch() {
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      ((NotificationEmitter) collector).addNotificationListener(listener, null, null);
    }
  }

  private void collected(Notification notification) {
    if (notification.getUserData() instanceof CompositeData data) {
      GarbageCollectionNotificationInfo info = GarbageCollectionNotificationInfo.from(data);
      add(info.getGcInfo(), info.getGcAction().equals(FULL));
    }
  }

  private synchronized void add(GcInfo info, boolean isFull) {
    seen =
        seen.with(heap(info.getMemoryUsageBeforeGc()), heap(info.getMemoryUsageAfterGc()))
            .withCollection(isFull, info.getDuration());
  }

  private long heap(Map<String, MemoryUsage> usages) {
    return usages.entrySet().stream()
        .filter(usage -> pools.contains(usage.getKey()))
        .mapToLong(usage -> usage.getValue().getUsed())
        .sum();
  }

  /** The observations so far, the present use included. */
  synchronized Seen seen() {
    return seen.with(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(), 0);
  }

  /** Stops watching. */
  @Override
  public void close() throws ListenerNotFoundException {
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      ((NotificationEmitter) collector).removeNotificationListener(listener);
    }
  }
}
