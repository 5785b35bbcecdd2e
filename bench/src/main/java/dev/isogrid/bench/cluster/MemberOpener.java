package dev.isogrid.bench.cluster;

import java.io.IOException;
import java.util.List;

/**
 * Makes nodes of a library that can't be on the class path of the benchmarks; found by {@link
 * java.util.ServiceLoader} in the process of a node.
 */
interface MemberOpener {
  /** Opens a node, as {@link ClusterLibrary#open}. */
  ClusterMember open(String name, int port, List<Integer> seeds, CacheKind kind) throws IOException;
}
