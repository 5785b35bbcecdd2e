package dev.isogrid.cli;

import java.util.ArrayList;
import java.util.List;

/** Findings for operators, with what to do. Pure functions. */
final class Findings {
  /** A bound or memory that is used so far is nearly full. */
  private static final double NEARLY_FULL = 0.95;

  private static final String HEALTHY = "HEALTHY";

  private Findings() {}

  /** All findings, the worst first; none if all is well. */
  static List<String> of(ClusterFigures figures) {
    List<String> found = new ArrayList<>();
    addAvailability(figures, found);
    addStores(figures, found);
    addNodes(figures, found);
    addRebalancing(figures, found);
    addBounds(figures, found);
    return found;
  }

  private static void addAvailability(ClusterFigures figures, List<String> found) {
    figures
        .cacheHealth()
        .forEach((cache, health) -> {
          if (health.equals("DEGRADED")) {
            found.add(
                "cache %s is DEGRADED: entries can't be reached; start the missing nodes, or give"
                        .formatted(cache)
                    + " the entries up by availability --mode AVAILABLE "
                    + cache);
          }
        });
    double missing = greatest(figures, "isogrid_segments_underreplicated");
    if (missing > 0) {
      found.add(
          "%d segments have fewer copies than they should; start more nodes, or wait for the copies"
              .formatted((long) missing));
    }
    for (NodeFigures node : figures.nodes()) {
      if (node.own("isogrid_majority") == 0) {
        found.add("node %s has no majority; start the missing nodes".formatted(node.name()));
      }
    }
  }

  private static void addStores(ClusterFigures figures, List<String> found) {
    for (NodeFigures node : figures.nodes()) {
      for (String cache : node.caches().keySet()) {
        if (node.cache(cache, "journal_failing") > 0) {
          found.add(
              "node %s refuses writes to cache %s, since the disk of its store is full or fails;"
                      .formatted(node.name(), cache)
                  + " make room on it, or mend it");
        }
        if (node.cache(cache, "journal_cleaning_failing") > 0) {
          found.add(
              "node %s can't clean the store of cache %s, so its files grow; its log says why"
                  .formatted(node.name(), cache));
        }
      }
    }
  }

  /** The value of a metric of the whole cluster: nodes may be behind by a moment. */
  private static double greatest(ClusterFigures figures, String metric) {
    double greatest = 0;
    for (NodeFigures node : figures.nodes()) {
      greatest = node.own(metric) > greatest ? node.own(metric) : greatest;
    }
    return greatest;
  }

  private static void addNodes(ClusterFigures figures, List<String> found) {
    for (NodeFigures node : figures.nodes()) {
      if (NodeFigures.NO_CLIENTS.equals(node.failure())) {
        found.add(
            "node %s takes no clients: it starts, or leaves once others have its entries"
                .formatted(node.name()));
      } else if (node.failure() != null) {
        found.add("node %s does not answer: %s".formatted(node.name(), node.failure()));
      }
      double heap = node.own("jvm_memory_used_bytes:heap") / node.own("jvm_memory_max_bytes:heap");
      if (heap > NEARLY_FULL) {
        found.add("node %s: the heap is nearly full; raise -Xmx".formatted(node.name()));
      }
      double offHeap = node.own("isogrid_off_heap_bytes") / node.own("isogrid_off_heap_max_bytes");
      if (offHeap > NEARLY_FULL) {
        found.add(
            "node %s: off-heap memory is nearly full, %d %%; raise --off-heap-max, or bound caches"
                .formatted(node.name(), Math.round(100 * offHeap)));
      }
      if (node.own("isogrid_writes_refused_total") > 0) {
        found.add(
            "node %s has refused %d writes since its start, since memory or a bound was full"
                .formatted(node.name(), (long) node.own("isogrid_writes_refused_total")));
      }
    }
    for (Object silent : JsonText.array(figures.rebalancing().get("silent_nodes"))) {
      found.add("node %s is silent: it may be overloaded, paused or cut off".formatted(silent));
    }
  }

  private static void addRebalancing(ClusterFigures figures, List<String> found) {
    boolean isOn = !Boolean.FALSE.equals(figures.rebalancing().get("rebalancing_enabled"));
    if (!isOn) {
      found.add("rebalancing is paused; rebalance enable goes on");
    }
    for (Object cache : JsonText.array(figures.rebalancing().get("paused_caches"))) {
      if (!isOn) {
        break; // all of them are
      }
      found.add(
          "rebalancing of cache %s is paused; rebalance enable caches/%s goes on"
              .formatted(cache, cache));
    }
    for (NodeFigures node : figures.nodes()) {
      double left = node.own("isogrid_rebalance_copies_left");
      if (left > 0) {
        found.add(
            "node %s has %d copies of segments to send to others"
                .formatted(node.name(), (long) left));
      }
    }
    figures
        .cacheHealth()
        .forEach((cache, health) -> {
          if (!health.equals(HEALTHY) && !health.equals("DEGRADED")) {
            found.add("cache %s is %s: copies are being made".formatted(cache, health));
          }
        });
  }

  private static void addBounds(ClusterFigures figures, List<String> found) {
    for (String cache : figures.cacheNames()) {
      double fullness = figures.fullness(cache);
      if (fullness < NEARLY_FULL || Double.isNaN(fullness)) {
        continue;
      }
      double evictions = figures.sum(cache, "evictions_total");
      String effect =
          evictions > 0
              ? "it has evicted %d entries".formatted((long) evictions)
              : "it evicts entries, or refuses writes";
      found.add(
          "cache %s is full, %d %% of its bound; %s; alter cache %s raises memory.max-size or"
                  .formatted(cache, Math.round(100 * fullness), effect, cache)
              + " memory.max-count");
    }
  }
}
