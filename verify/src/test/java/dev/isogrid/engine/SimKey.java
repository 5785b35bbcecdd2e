package dev.isogrid.engine;

import java.util.Comparator;

/** A key of a simulated cache. */
record SimKey(Scope scope, String name) implements ScopedKey, Comparable<SimKey> {
  private static final Comparator<SimKey> ORDER =
      Comparator.comparingInt((SimKey key) -> key.scope.cacheId()).thenComparing(SimKey::name);

  /** The keys of one cache. */
  record Scope(int cacheId) {}

  /** The index of its segment within its cache. */
  int segment(int segmentCount) {
    return Math.floorMod(name.hashCode() * 31, segmentCount);
  }

  @Override
  public int compareTo(SimKey other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return scope.cacheId + "/" + name;
  }
}
