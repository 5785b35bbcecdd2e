package dev.isogrid.bench.hitratio;

import java.util.LinkedHashMap;
import java.util.Map;

/** Evicts the entry that was not used for the longest time. */
final class LruModel implements Policy.Requests {
  private final Map<Integer, Integer> entries;

  LruModel(int capacity) {
    entries = new BoundedMap(capacity);
  }

  /** In the order of use. */
  private static final class BoundedMap extends LinkedHashMap<Integer, Integer> {
    private static final long serialVersionUID = 1L;
    private final int capacity;

    BoundedMap(int capacity) {
      super(16, 0.75f, true);
      this.capacity = capacity;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Integer, Integer> eldest) {
      return size() > capacity;
    }
  }

  @Override
  public boolean ask(int key) {
    return entries.get(key) != null || entries.put(key, key) != null;
  }
}
