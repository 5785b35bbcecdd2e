package dev.isogrid.api;

/**
 * Numbers of which no two nodes get the same: 1 and more. A node takes them in blocks, and so needs
 * the cluster once a block. The numbers that a node gives out grow; those of different nodes come
 * in no order, and the rest of a block is lost when its node ends. Thread-safe.
 */
public interface Sequence {
  /** The sequence's name. */
  String name();

  /**
   * The next number.
   *
   * @throws FatalGridException if there are none left
   * @throws RetryableGridException if the cluster does not answer; try again
   */
  long next();
}
