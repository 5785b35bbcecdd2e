package dev.isogrid.node;

import java.util.Set;

/**
 * The settings of a simulation.
 *
 * @param seed the source of all randomness
 * @param caches the kinds of caches that clients use
 * @param faults the possible faults
 * @param holes the promises that are not checked
 * @param weatherMillis the time with faults
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
