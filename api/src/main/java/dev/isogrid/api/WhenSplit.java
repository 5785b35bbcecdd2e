package dev.isogrid.api;

/**
 * What operations of a clustered cache do on the nodes that are cut off from the majority of the
 * cluster. The majority goes on in any case, with the entries of which it has a copy.
 */
public enum WhenSplit {
  /** They are refused: nothing stale is read, and nothing has to be merged later. */
  DENY_READ_WRITES,
  /**
   * Writes are refused; reads of entries of which the node has a copy give what that was when the
   * node was cut off, which others may have changed since.
   */
  ALLOW_READS,
  /**
   * Operations on single entries go on among the nodes that reach each other: they read what they
   * have copies of, and of other entries nothing, and keep apart what they write, see {@link
   * ClusterConfig#splitBytesMax}. When the majority is back, what it did not change meanwhile is as
   * that side left it, and the {@link MergePolicy} decides on the rest. It takes some 2 to 3
   * seconds without the majority until operations go on; those that are under way may fail. What
   * concerns all entries is refused: size, iteration, streams, clear, new listeners.
   */
  ALLOW_READ_WRITES
}
