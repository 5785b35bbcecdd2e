package dev.isogrid.engine;

import dev.isogrid.cluster.Memory;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.Topology;

/** Where a node keeps what it remembers of its cluster. Called under the lock of its driver. */
public interface ClusterMemory {
  /** Returns whether the entries of a cache are on disks. Must be short. */
  boolean isKept(CacheDefinition cache);

  /** Returns whether a cluster is to be remembered. Must be short. */
  default boolean concerns(Topology topology) {
    return topology.caches().stream().anyMatch(this::isKept);
  }

  /**
   * Keeps what is to be remembered from now on, instead of all before. Does not wait.
   *
   * @param whenKept called by another thread when this, or something later, is on the disk; never
   *     if the disk fails
   */
  void keep(Memory memory, Runnable whenKept);
}
