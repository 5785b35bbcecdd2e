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
  /**
   * Every member; a write does not wait for the copies. As {@link #DIST_ASYNC} otherwise.
   */
  REPL_ASYNC,
  /** A fixed number of owners; a write waits for all of them. */
  DIST_SYNC,
  /**
   * A fixed number of owners; a write is answered when the entry's primary owner has done it, and is
   * copied to the others some time later, in the same order. All reads see it, and so do
   * conditions, until that node fails or is cut off: then its latest writes of each segment may be
   * lost although they were answered, at most 512 of them; those before are there. An
   * entry may then be as it was before a lost write. Nothing is done twice, and a version is never
   * that of two writes. While more waits to be copied, or while the node may be cut off, writes
   * wait as with {@link #DIST_SYNC}; so do removals of all entries.
   */
  DIST_ASYNC,
  /** Nobody but the writer; the others drop their copies, and the write waits for that. */
  INVALIDATION_SYNC,
  /** Nobody but the writer; the others drop their copies some time later. */
  INVALIDATION_ASYNC
}
