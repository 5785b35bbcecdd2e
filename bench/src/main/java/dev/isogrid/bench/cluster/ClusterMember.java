package dev.isogrid.bench.cluster;

import java.util.concurrent.ConcurrentMap;

/** A node of a cluster inside of this process, and its part of a distributed cache. */
interface ClusterMember {
  /** The cache, of all nodes. */
  ConcurrentMap<String, byte[]> cache();

  /** Whether so many nodes are one cluster, and nothing is being copied. */
  boolean isComplete(int nodes);

  /** How much is kept here, in any unit: it grows while entries come. */
  long localSize();

  /** Of how many segments entries are kept here. */
  int localSegments();

  /** How many segments the cache has. */
  int segments();
}
