package dev.isogrid.node;

/**
 * Promises that the product is known to break. The simulation does not look at one unless it is
 * told to; each is taken off this list when the product keeps it.
 */
enum SimHole {
  /** A clear that says that it was not done has removed nothing. */
  HALF_CLEARED,
  /** A node that is no member may not serve. */
  LEASED_OUTSIDE,
  /** What was removed from a bounded cache is not read any more. */
  REMOVED_BUT_READ
}
