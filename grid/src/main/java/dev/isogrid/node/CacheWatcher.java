package dev.isogrid.node;

/**
 * Hears which caches of a cluster come and go on a node. Called by threads that may block, also at
 * the same time.
 */
public interface CacheWatcher {
  /** The cluster has a cache, and this node has it now. */
  void begun(String name);

  /** The cluster has a cache no more. */
  void ended(String name);
}
