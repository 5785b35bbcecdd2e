package dev.isogrid.node;

/**
 * Promises that the product is known to break. The simulation does not look at one unless it is
 * told to; each is taken off this list when the product keeps it.
 */
enum SimHole {
  /** Seeds that are started again don't found a second cluster beside one that they don't hear. */
  FOUNDED_TWICE
}
