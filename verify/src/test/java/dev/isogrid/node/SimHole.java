package dev.isogrid.node;

/**
 * Promises that the product is known to break. The simulation does not look at one that is listed
 * unless it is asked to; each is taken off when the product keeps it.
 */
enum SimHole {
  /** A clear that says that it was not done has removed nothing. */
  HALF_CLEARED
}
