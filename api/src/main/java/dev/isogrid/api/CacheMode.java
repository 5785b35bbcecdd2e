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
   * lost although they were answered, at most 512 of them; those before are there. An entry may
   * then be as it was before a lost write. Nothing is done twice, and a version is never that of
   * two writes. While more waits to be copied, or while the node may be cut off, writes wait as
   * with {@link #DIST_SYNC}; so do removals of all entries.
   */
  DIST_ASYNC,
  /**
   * Each node has entries of its own, as for what can be had from elsewhere at any time. What is
   * written or removed on one node is removed on all others that have a cache of the name; each
   * node defines it for itself. A write is done here, then waits until the other members have
   * removed the entry, or are members no more; {@link IndeterminateGridException} says that it is
   * not known of all. Listeners there hear of a removal. Expiry and eviction are each node's own.
   *
   * <p>Nothing is read on a node that may be cut off from the majority, and its entries are gone if
   * it was no member meanwhile. One that was given up, without having been the owner of entries of
   * other caches, may still answer reads for up to 0.8 s.
   */
  INVALIDATION_SYNC,
  /**
   * As {@link #INVALIDATION_SYNC}, but a write does not wait: the others remove the entry some time
   * later, in the order of the writes. What a node that fails has not told is not removed.
   */
  INVALIDATION_ASYNC
}
