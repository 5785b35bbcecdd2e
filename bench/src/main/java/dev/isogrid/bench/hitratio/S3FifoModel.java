package dev.isogrid.bench.hitratio;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;

/**
 * S3-FIFO: a small queue for new keys, a main queue for keys that are used again, and the keys that
 * left the small queue lately.
 *
 * <p>J. Yang et al., FIFO queues are all you need for cache eviction, SOSP 2023.
 */
final class S3FifoModel implements Policy.Requests {
  /** The small queue's part of the capacity. */
  private static final int SMALL_FRACTION = 10;

  /** The maximum count of uses. */
  private static final int USES_MAX = 3;

  private final int capacity;
  private final int smallCapacity;
  private final Map<Integer, Uses> entries = new HashMap<>();
  private final ArrayDeque<Integer> small = new ArrayDeque<>();
  private final ArrayDeque<Integer> main = new ArrayDeque<>();
  private final LinkedHashSet<Integer> ghosts = new LinkedHashSet<>();

  S3FifoModel(int capacity) {
    this.capacity = capacity;
    this.smallCapacity = Math.max(1, capacity / SMALL_FRACTION);
  }

  private static final class Uses {
    private int count;
  }

  @Override
  public boolean ask(int key) {
    Uses found = entries.get(key);
    if (found != null) {
      found.count = Math.min(found.count + 1, USES_MAX);
      return true;
    }
    while (entries.size() >= capacity) {
      evict();
    }
    entries.put(key, new Uses());
    (ghosts.remove(key) ? main : small).addLast(key);
    return false;
  }

  private void evict() {
    if (small.size() < smallCapacity && !main.isEmpty()) {
      evictFromMain();
      return;
    }
    while (!small.isEmpty()) {
      int key = small.removeFirst();
      Uses uses = Objects.requireNonNull(entries.get(key));
      if (uses.count <= 1) {
        entries.remove(key);
        ghosts.add(key);
        if (ghosts.size() > capacity - smallCapacity) {
          ghosts.removeFirst();
        }
        return;
      }
      uses.count = 0;
      main.addLast(key);
      if (main.size() > capacity - smallCapacity) {
        evictFromMain();
        return;
      }
    }
    evictFromMain();
  }

  private void evictFromMain() {
    while (!main.isEmpty()) {
      int key = main.removeFirst();
      Uses uses = Objects.requireNonNull(entries.get(key));
      if (uses.count == 0) {
        entries.remove(key);
        return;
      }
      uses.count--;
      main.addLast(key);
    }
  }
}
