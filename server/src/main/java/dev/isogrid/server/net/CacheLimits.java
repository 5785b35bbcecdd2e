package dev.isogrid.server.net;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.node.Node;

/**
 * The limits of caches and segments that clients can create on a node: empty ones take memory, too.
 * Thread-safe.
 */
final class CacheLimits {
  /** Caches of a node: more are a mistake, or an attack. */
  static final int CACHES_MAX = 10_000;

  /** The heap of a segment, for any kind of cache; measured 420 to 765. */
  private static final int SEGMENT_BYTES = 800;

  /** The part of the heap for the segments of all caches, before they have entries. */
  private static final int SEGMENTS_FRACTION = 4;

  private final Node node;
  private final int cachesMax;
  private final long segmentsMax;

  /** Caches that are being created. Guarded by this, like their segments. */
  private int cachesComing;

  private long segmentsComing;

  /** Whether the limits are enforced. Guarded by this. */
  private boolean isBegun;

  /** Limits that are enforced after {@link #begin}. */
  CacheLimits(Node node, int cachesMax, long segmentsMax) {
    this.node = node;
    this.cachesMax = cachesMax;
    this.segmentsMax = segmentsMax;
  }

  /** The limits that the heap of this process allows. */
  static CacheLimits ofProcess(Node node) {
    long segmentsMax = Runtime.getRuntime().maxMemory() / SEGMENTS_FRACTION / SEGMENT_BYTES;
    return new CacheLimits(node, CACHES_MAX, segmentsMax);
  }

  /** Begins to enforce the limits. */
  synchronized void begin() {
    isBegun = true;
  }

  /** Whether the limits are enforced, so that new caches are those of clients. */
  synchronized boolean isEnforced() {
    return isBegun;
  }

  /**
   * Counts a cache that is about to be created, until {@link #endReserving}.
   *
   * @throws InvalidRequestException if there are too many; then it is not counted
   */
  synchronized void reserve(String name, int segments) {
    int caches = node.cacheNames().size() + cachesComing;
    long inAll = node.segmentsOfAllCaches() + segmentsComing;
    if (isBegun && (caches >= cachesMax || inAll + segments > segmentsMax)) {
      throw new InvalidRequestException(
          ("too many caches or segments on this node: cache=%s, segments=%d, caches=%d (limit %d),"
                  + " segments of all=%d (limit %d); remove caches, use fewer segments for each, or"
                  + " raise the heap")
              .formatted(name, segments, caches, cachesMax, inAll, segmentsMax));
    }
    cachesComing++;
    segmentsComing += segments;
  }

  /** Ends a reservation: the cache exists and counts by itself, or was not created. */
  synchronized void endReserving(int segments) {
    cachesComing--;
    segmentsComing -= segments;
  }
}
