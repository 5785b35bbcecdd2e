package dev.isogrid.api;

/**
 * Which members of a cluster hold an entry, and whether a write waits for them. On a node without a
 * cluster every mode behaves like {@link #LOCAL}; the mode is kept with the configuration.
 */
public enum CacheMode {
  /** This node only. */
  LOCAL,
  /** Every member; a write waits for all of them. */
  REPL_SYNC,
  /** Every member; a write does not wait for the copies. As {@link #DIST_ASYNC} otherwise. */
  REPL_ASYNC,
  /** A fixed number of owners; a write waits for all of them. */
  DIST_SYNC,
  /**
   * A fixed number of owners; a write is answered when the entry's primary owner has done it, and
   * is copied to the others some time later, in the same order. All reads see it, and so do
   * conditions, until that node fails or is cut off: then its latest writes of each segment may be
   * lost although they were answered, at most the last 512 of them. An entry may then be as it was
   * before a lost write. No write takes effect twice, and no two writes have the same version.
   * While more writes than that wait to be copied, or the node may be cut off, writes wait as with
   * {@link #DIST_SYNC}; so do removals of all entries.
   */
  DIST_ASYNC,
  /**
   * Each node has entries of its own, such as copies of data that can be loaded from elsewhere at
   * any time. An entry that is written or removed on one node is removed on all others that have a
   * cache of the name; each node defines it for itself. A write is done here, then waits until the
   * other members have removed the entry, or are members no more; it fails with {@link
   * IndeterminateGridException} if some did not confirm that. Listeners there get a removal. Expiry
   * and eviction are each node's own.
   *
   * <p>Nothing is read on a node that may be cut off from the majority, and its entries are gone if
   * it lost its membership meanwhile. A node that was expelled, and was not the owner of entries of
   * other caches, may still answer reads for up to 0.8 s.
   */
  INVALIDATION_SYNC,
  /**
   * As {@link #INVALIDATION_SYNC}, but a write does not wait: the others remove the entry some time
   * later, in the order of the writes, even if they have stored the key anew meanwhile. Removals
   * that a failing node has not sent yet do not happen.
   */
  INVALIDATION_ASYNC
}
