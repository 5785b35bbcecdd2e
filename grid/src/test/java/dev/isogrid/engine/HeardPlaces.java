package dev.isogrid.engine;

import java.util.List;

/** The knowledge of nodes about segments without a copy on them, for tests. */
public final class HeardPlaces {
  private HeardPlaces() {}

  /** Whether a node has heard of, or has itself, all that the nodes have committed of a cache. */
  public static boolean areComplete(CacheEngine<?, ?> node, List<CacheEngine<?, ?>> nodes) {
    AvailableEngine own = (AvailableEngine) node;
    for (int index = 0; index < own.segmentCount(); index++) {
      int segment = index;
      long reached =
          nodes.stream()
              .mapToLong(each -> ((AvailableEngine) each).placeReached(segment))
              .max()
              .orElse(0);
      if (!own.keeps(segment) && own.heard(segment) < reached) {
        return false;
      }
    }
    return true;
  }

  /** Whether all nodes' copies have all that any of them has; each has a copy of everything. */
  public static boolean areCommitted(List<CacheEngine<?, ?>> nodes) {
    AvailableEngine first = (AvailableEngine) nodes.getFirst();
    for (int index = 0; index < first.segmentCount(); index++) {
      int segment = index;
      long places =
          nodes.stream()
              .mapToLong(each -> ((AvailableEngine) each).placeCommitted(segment))
              .distinct()
              .count();
      if (places > 1) {
        return false;
      }
    }
    return true;
  }
}
