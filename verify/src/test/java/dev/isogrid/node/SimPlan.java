package dev.isogrid.node;

import java.util.Set;

/**
 * What is simulated.
 *
 * @param seed where all chance comes from
 * @param caches the kinds of caches that clients use
 * @param faults what may go wrong
 * @param holes promises that are not looked at
 * @param weatherMillis how long things go wrong
 */
record SimPlan(
    long seed,
    Set<SimCache.Kind> caches,
    Set<SimFault> faults,
    Set<SimHole> holes,
    int weatherMillis) {
  /** Copies the sets. */
  SimPlan {
    caches = Set.copyOf(caches);
    faults = Set.copyOf(faults);
    holes = Set.copyOf(holes);
  }
}
