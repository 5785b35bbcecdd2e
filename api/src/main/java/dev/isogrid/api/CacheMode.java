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
  /** Every member; a write does not wait. */
  REPL_ASYNC,
  /** A fixed number of owners; a write waits for all of them. */
  DIST_SYNC,
  /** A fixed number of owners; a write does not wait. */
  DIST_ASYNC,
  /** Nobody but the writer; the others drop their copies, and the write waits for that. */
  INVALIDATION_SYNC,
  /** Nobody but the writer; the others drop their copies some time later. */
  INVALIDATION_ASYNC
}
