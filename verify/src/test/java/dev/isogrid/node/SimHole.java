package dev.isogrid.node;

/**
 * Promises that the product is known to break. The simulation does not check one unless an option
 * demands it. Each leaves this list when the product keeps it.
 */
enum SimHole {
  /** Restarted seeds may found a second cluster beside one that they don't hear. */
  FOUNDED_TWICE
}
