package dev.isogrid.bench.cluster;

import java.util.concurrent.ConcurrentMap;

/** A node of a cluster inside of this process, and its part of a distributed cache. */
interface Member {
  /** The cache, of all nodes. */
  ConcurrentMap<String, byte[]> cache();

  /** Whether so many nodes are one cluster, and nothing is being copied. */
  boolean isComplete(int nodes);

  /** How many entries are kept here. */
  long localEntries();

  /** Of how many segments entries are kept here. */
  int localSegments();
}
