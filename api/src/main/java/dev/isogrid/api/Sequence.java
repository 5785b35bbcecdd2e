package dev.isogrid.api;

/**
 * Unique numbers, 1 and more: no two nodes get the same. A node takes them in blocks, and so needs
 * the cluster once per block. The numbers on one node grow; those of different nodes have no order,
 * and the rest of a block is lost when its node ends. Thread-safe.
 */
public interface Sequence {
  /** The sequence's name. */
  String name();

  /**
   * The next number.
   *
   * @throws FatalGridException if no numbers are left
   * @throws RetryableGridException if the cluster does not answer; try again
   */
  long next();
}
