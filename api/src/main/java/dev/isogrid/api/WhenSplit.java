package dev.isogrid.api;

/**
 * The behaviour of operations of a clustered cache on nodes that are cut off from the majority of
 * the cluster. The majority continues in any case, with the entries of which it has a copy.
 */
public enum WhenSplit {
  /** They are refused: nothing stale is read, and nothing has to be merged later. */
  DENY_READ_WRITES,
  /**
   * Writes are refused; reads of entries of which the node has a copy return its state when the
   * node was cut off, which others may have changed since.
   */
  ALLOW_READS,
  /**
   * Operations on single entries continue among the nodes that reach each other. They find only the
   * entries of which they have copies, and their writes are kept apart, see {@link
   * ClusterConfig#splitBytesMax}. When the majority is back, entries that it did not change are as
   * that side left them, and the {@link MergePolicy} decides on the rest. Operations continue after
   * some 2 to 3 seconds without the majority; those that are under way may fail. Operations on all
   * entries are refused: size, iteration, streams, clear, new listeners.
   */
  ALLOW_READ_WRITES
}
