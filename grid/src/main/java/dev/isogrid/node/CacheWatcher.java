package dev.isogrid.node;

/**
 * Hears which caches of a cluster come and go on a node, and knows how they are to be. Called by
 * threads that may block, also at the same time.
 */
public interface CacheWatcher {
  /** The cluster has a cache, and this node has it now. */
  void begun(String name);

  /** The cluster has a cache no more. */
  void ended(String name);

  /** Returns whether a cache has the configuration that this node heard of; true for none. */
  boolean isAsConfigured(String name);
}
