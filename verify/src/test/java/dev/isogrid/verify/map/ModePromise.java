package dev.isogrid.verify.map;

import dev.isogrid.api.CacheMode;
import java.util.EnumSet;
import java.util.Set;

/**
 * The promises of a map that other nodes share. On the node that writes, every mode keeps the whole
 * contract of {@link java.util.concurrent.ConcurrentMap}; the modes differ in what the other nodes
 * see, and in copies.
 */
enum ModePromise {
  /** A write of one node is read on all nodes, and counts for their conditions, at once. */
  SEEN_EVERYWHERE,
  /** When a write returns, no node reads the value before it. */
  NOTHING_STALE,
  /** When a write returns, all owners have it, so that each of them may die. */
  COPIED;

  /** The promises that a mode keeps on a cluster of several nodes. */
  static Set<ModePromise> of(CacheMode mode) {
    return switch (mode) {
      case LOCAL -> EnumSet.noneOf(ModePromise.class);
      case DIST_SYNC, REPL_SYNC -> EnumSet.allOf(ModePromise.class);
      case DIST_ASYNC, REPL_ASYNC -> EnumSet.of(SEEN_EVERYWHERE, NOTHING_STALE);
      case INVALIDATION_SYNC -> EnumSet.of(NOTHING_STALE);
      case INVALIDATION_ASYNC -> EnumSet.noneOf(ModePromise.class);
    };
  }

  /** Returns whether a mode keeps this promise. */
  boolean isKeptBy(CacheMode mode) {
    return of(mode).contains(this);
  }
}
