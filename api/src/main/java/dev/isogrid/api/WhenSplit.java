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
  ALLOW_READS
}
