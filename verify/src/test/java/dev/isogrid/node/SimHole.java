package dev.isogrid.node;

/**
 * Promises that the product is known to break. The simulation does not look at one unless it is
 * told to; each is taken off this list when the product keeps it.
 */
enum SimHole {
  /** A clear that says that it was not done has removed nothing. */
  HALF_CLEARED,
  /** A copy keeps what is written to a cache that its node has not heard of yet. */
  EARLY_WRITES,
  /** Seeds that are started again don't found a second cluster beside one that they don't hear. */
  FOUNDED_TWICE,
  /** A node that is no member may not serve. */
  LEASED_OUTSIDE
}
