package dev.isogrid.node;

/**
 * Counts of a node's work for the cluster since it started, for benchmarks.
 *
 * @param sentMessages messages that it sent to other nodes
 * @param sentBytes their bytes
 * @param lockWaits how often a thread waited for the lock of the node
 */
public record ClusterCounts(long sentMessages, long sentBytes, long lockWaits) {
  /** Those of a node that is alone. */
  static final ClusterCounts NOTHING = new ClusterCounts(0, 0, 0);
}
